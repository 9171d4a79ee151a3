-- A message comes while the person is using the app.
local room = require "lib.room"

-- THE ONE LINE TO CHANGE: true = quiet anywhere in the chat tab; false = quiet only in the very room (next rule).
-- Then run `rulehost test chat`: it names the cases that the change touches.
rule "Chat tab open: stay quiet" {
  enabled = true,
  on      = "present",
  tab     = "chat",
  decide  = suppress "the chat tab is on screen",
}

rule "Room on screen: stay quiet" {
  on     = "present",
  when   = function(msg, device) return device:is_showing("chat", room.of(msg)) end,
  decide = suppress "that room is on screen",
}

rule "App in front: show everything" {
  on     = "present",
  decide = show { "banner", "list", "badge", "sound" },
}
