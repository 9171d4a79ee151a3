rule "Tap: say it" {
  on     = "open",
  decide = function(msg) return { labels = { t = text.fill("{title}: {body}", { title = msg.title or "" }) } } end,
}
