rule "Chat: quiet" {
  on     = "present",
  when   = function(msg, device) return device:is_showing("caht", msg.data.room) end,
  decide = suppress "it is on screen",
}
