rule "Open: shorter" {
  on     = "open",
  decide = function(msg) return { labels = { body = text.trunkate(msg.body or "", 20) } } end,
}
