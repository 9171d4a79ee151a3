local room = require "lib.room"

rule "Never asked: ask" {
  on     = "resume",
  when   = function(msg, device) return room.may_ask(device) end,
  decide = { labels = { ask = "yes" } },
}
