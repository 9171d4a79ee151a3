rule "Chat: quiet" {
  on     = "present",
  when   = function(msg, device)
    local room = msg.data.room
    return device:is_showing("chat", msg.data.rooms)
  end,
  decide = suppress "it is on screen",
}
