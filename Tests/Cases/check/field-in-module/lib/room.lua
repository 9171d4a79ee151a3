local room = {}

function room.may_ask(device) return device.permision == nil end

return room
