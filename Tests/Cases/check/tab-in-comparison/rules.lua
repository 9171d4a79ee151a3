rule "Chat: quiet" {
  on     = "present",
  when   = function(msg, device) return device.screen and device.screen.tab == "Chat" end,
  decide = suppress "it is on screen",
}
