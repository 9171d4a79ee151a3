local room = "lobby"

rule "Chat: quiet" {
  on     = "present",
  when   = function(msg, device)
    local room = msg.data.room
    return device:is_showing("chat", room)
  end,
  decide = suppress(room),
}
