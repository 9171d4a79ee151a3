rule "Chat: quiet" {
  on     = "open",
  when   = function(msg, device) return device.is_showing("chat") end,
  decide = { route = false },
}
