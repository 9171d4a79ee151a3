rule "Chat message" {
  on = "present",
  decide = function(msg, device)
    if not device.app_push or device.permission ~= "authorized" then return suppress "push_off" end
    if msg.channel == "chat" and device.screen.tab == "chat" then return suppress "chat_tab_open" end
    return show {
      "banner", "list", "badge", "sound",
      badge = "+1",
      route = { tab = "chat", path = { msg.data.chat_id } },
    }
  end,
}
