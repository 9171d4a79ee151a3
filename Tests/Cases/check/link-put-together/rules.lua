rule "Tap: to the offer" {
  on     = "open",
  decide = function(msg) return { route = "shpo://offers/" .. (msg.data.id or "") } end,
}
