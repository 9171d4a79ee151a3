local room = {}
function room.of(msg return msg.data.chat_id end
return room
