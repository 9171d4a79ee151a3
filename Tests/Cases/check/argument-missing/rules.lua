rule "Open: shorter" {
  on     = "open",
  decide = function(msg) return { labels = { body = text.truncate(msg.body or "") } } end,
}
