rule "In front" {
  on     = "present",
  decide = function(msg) return "suppress" end,
}
