rule "Switch: say who left" {
  on     = "account",
  decide = function(msg, device, event) return { labels = { left = event.previus or "nobody" } } end,
}
