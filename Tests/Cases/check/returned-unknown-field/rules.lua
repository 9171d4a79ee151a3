rule "Count" {
  on     = "present",
  decide = function(msg) return { bage = "+1", labels = { id = msg.id } } end,
}
