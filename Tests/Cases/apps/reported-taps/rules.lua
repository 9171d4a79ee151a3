rule "Tap: to the room, in the account that it belongs to" {
  on     = "open",
  when   = function(msg) return msg.data.room ~= nil end,
  decide = function(msg) return route { tab = "chat", path = { msg.data.room }, account = msg.account } end,
}

rule "Tap: to where the link leads" {
  on     = "open",
  when   = function(msg) return msg.link ~= nil end,
  decide = function(msg) return route(msg.link) end,
}

rule "Tap without a link: to the start page" {
  on     = "open",
  decide = route "shop://home",
}

rule "Tap: which button it was goes into the log" {
  on     = "open",
  decide = function(msg, device, event) return { labels = { action = event.action or device.action or "none" } } end,
}

rule "Room messages: the best name there is" {
  on     = "present",
  when   = function(msg) return msg.data.name ~= nil end,
  decide = function(msg) return { title = msg.data.fname or msg.title or msg.data.name } end,
}
