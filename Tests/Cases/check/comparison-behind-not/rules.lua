rule "Behind: quiet" {
  on     = "present",
  when   = function(msg, device) return not device.state == "foreground" end,
  decide = suppress "the app is covered",
}
