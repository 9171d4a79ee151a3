local room = {}

function room.of(msg) return tostrin(msg.data.room) end

return room
