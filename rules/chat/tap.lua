-- The person taps a notification. While the app is still starting the way is kept, and taken once its screens are ready.
local room = require "lib.room"

local app_is_running = { "foreground", "inactive", "background" }

-- THE ONE LINE TO CHANGE: true = a tap inside the chat tab changes nothing; false = it goes to the room (rules below).
-- Then run `rulehost test chat`: it names the cases that the change touches.
rule "Tap inside the chat tab: stay there" {
  enabled = true,
  on      = "open",
  tab     = "chat",
  state   = app_is_running,
  decide  = { route = false },
}

rule "Tap on the room already on top: stay there" {
  on     = "open",
  state  = app_is_running,
  when   = function(msg, device) return room.is_on_top(device, room.of(msg)) end,
  decide = { route = false },
}

rule "Tap on a chat message: go to its room" {
  on     = "open",
  when   = function(msg) return room.of(msg) ~= nil end,
  decide = function(msg) return route { tab = "chat", path = { room.of(msg) } } end,
}
