-- Which room a message belongs to, and which room the person has open.
local room = {}

-- The message's chat_id as text; nil when it names no room. Some senders write the id as a number.
function room.of(msg)
  local id = msg.data.chat_id
  if math.type(id) == "integer" then id = tostring(id) end
  if type(id) == "string" and id ~= "" then return id end
  return nil
end

-- Whether that room is the last screen of the chat tab. Unlike device:is_showing this also holds in the background.
function room.is_on_top(device, id)
  local screen = device.screen
  if id == nil or screen == nil or screen.tab ~= "chat" or screen.path == nil then return false end
  return screen.path[#screen.path] == id
end

return room
