rule "In front" {
  on     = "present",
  decide = function(msg) return show { "baner", title = msg.title } end,
}
