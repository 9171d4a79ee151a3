rule "Tap: home" {
  on     = "open",
  decide = function(msg) return route { tab = "homme", path = { msg.id } } end,
}
