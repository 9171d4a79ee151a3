local room = require "lib.room"

rule "Tap: to the room" {
  on     = "open",
  decide = function(msg) return route { tab = "chat", path = { room.off(msg) } } end,
}
