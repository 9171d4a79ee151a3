rule "Back in front: say what came" {
  on     = "resume",
  decide = function(msg) return { labels = { title = msg.title or "" } } end,
}
