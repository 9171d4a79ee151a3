rule "Hello" {
  on     = "open",
  decide = function(msg) return { labels = { text = text.tr("hello", { name = msg.title or "" }) } } end,
}
