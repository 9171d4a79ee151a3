rule "In front: quiet" {
  on     = "present",
  when   = function(msg, device) return device.state == "forground" end,
  decide = suppress "the app is in front",
}
