-- The last screen of whatever tab it was reached by; nil when there is none.
local function top(device)
  local path = device.screen and device.screen.path
  return path and path[#path]
end

rule "That room is on screen, whatever led there: quiet" {
  on     = "present",
  when   = function(msg, device)
    return msg.data.chat_id ~= nil and tostring(msg.data.chat_id) == top(device)
  end,
  decide = suppress "that room is on screen",
}

rule "The list of chats is on screen: quiet" {
  on     = "present",
  tab    = "chat",
  when   = function(msg, device) return top(device) == nil end,
  decide = suppress "the list shows it",
}
