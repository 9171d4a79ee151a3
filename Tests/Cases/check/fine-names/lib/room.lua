local room = { names = {} }

function room.of(message) return message.data.room or message.raw.room end

function room:name(id) return self.names[id] or id end

return room
