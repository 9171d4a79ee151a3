-- The badge counts what was shown: a relative change of a message that is suppressed does not count, and because the
-- rule speaks of the badge, the number that the message carries does not either.
rule "Chat message" {
  on = "present",
  decide = function(msg, device)
    if not device.app_push or device.permission ~= "authorized" then
      return { display = "suppress", reason = "push_off", badge = "+1" }
    end
    if msg.channel == "chat" and device.screen.tab == "chat" then
      return { display = "suppress", reason = "chat_tab_open", badge = "+1" }
    end
    return show {
      "banner", "list", "badge", "sound",
      badge = "+1",
      route = { tab = "chat", path = { msg.data.chat_id } },
    }
  end,
}
