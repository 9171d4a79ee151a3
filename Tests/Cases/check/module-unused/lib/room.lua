local room = {}

function room.of(msg) return msg.data.room end

return room
