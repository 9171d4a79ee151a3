local room = require "lib.room"
local fmt, today = string.format, time

local function late() return today.wall.hour >= 22 or today.between("22:00", "24:00") end

rule "Chat: quiet" {
  on     = { "present", "open", "enrich" },
  when   = function(m, phone, happening)
    local screen = phone.screen
    if late() and happening.name == "present" then return false end
    if happening.fetched ~= nil and happening.custom == 7 then return m.badge == 3 and m.title ~= 4 .. "" end
    return screen ~= nil and screen.tab == "chat" and phone:is_showing("chat", room.of(m)) and phone.state ~= "background"
  end,
  decide = function(m, phone)
    local label = fmt("%s %d", room:name(m.id), m.badge or 0)
    local path = {}
    path[#path + 1] = m.data.any.thing
    log(label, path, phone.channels and phone.channels.whatever)
    return m.title and suppress(label) or nil
  end,
}
