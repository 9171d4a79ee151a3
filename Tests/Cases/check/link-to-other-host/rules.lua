rule "Tap: to the page" {
  on     = "open",
  decide = function(msg) return { route = { url = "https://example.org/" }, labels = { id = msg.id } } end,
}
