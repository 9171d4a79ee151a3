-- The rule of the reference job, as a host without any house around it runs it.
local shown = 0

function decide(message, device)
  local data = message.data
  if not (device.app_push and device.os_push) then return { display = "suppress", reason = "push_off" } end
  if data.channel == "chat" and device.selected_tab == "chat" then
    return { display = "suppress", reason = "chat_tab_open" }
  end
  shown = shown + 1
  return {
    display = { "banner", "list", "badge", "sound" },
    badge = shown,
    route = { tab = "chat", path = { data.chat_id } },
  }
end
