local room = 
return room
