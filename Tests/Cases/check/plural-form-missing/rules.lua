rule "Count" {
  on     = "open",
  decide = function(msg) return { labels = { text = text.tr("items", { n = msg.badge or 0 }) } } end,
}
