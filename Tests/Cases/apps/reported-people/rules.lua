rule "In front: everything, and counted" { on = "present", decide = show { badge = "+1" } }

rule "Tap: to the room" {
  on     = "open",
  when   = function(msg) return msg.data.room ~= nil end,
  decide = function(msg) return route { tab = "chat", path = { msg.data.room } } end,
}
