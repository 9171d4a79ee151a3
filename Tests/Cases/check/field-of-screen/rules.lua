rule "Chat: quiet" {
  on     = "present",
  when   = function(msg, phone)
    local screen = phone.screen return screen ~= nil and screen.tabb == "chat"
  end,
  decide = suppress "it is on screen",
}
