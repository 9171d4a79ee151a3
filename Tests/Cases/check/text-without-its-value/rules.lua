rule "Hello" {
  on     = "open",
  decide = function(msg) return { labels = { text = text.tr("hello", { nme = msg.title or "" }) } } end,
}
