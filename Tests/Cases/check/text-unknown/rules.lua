rule "Hello" {
  on     = "open",
  decide = function(msg) return { labels = { text = text.tr("helo", { name = msg.title or "" }) } } end,
}
