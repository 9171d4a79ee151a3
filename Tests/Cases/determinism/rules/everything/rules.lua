local lists = require "lib.lists"

local arrival = { "send", "enrich", "present", "receive" }

rule "Order: of the message's data, of the rules' own tables, of what is remembered" {
  on     = { "send", "enrich", "present", "receive", "open" },
  decide = function(msg, device)
    local own = { z = 1, a = 2, m = { 1, 2 }, [1] = "one", [2.5] = "half", [true] = "yes" }
    for letter in (msg.body or "none"):gmatch("%a") do own[letter] = (own[letter] or 0) == 0 and 1 or 2 end
    own.z = nil
    own["later " .. (msg.channel or "none")] = 1
    state.set("seen " .. (msg.channel or "none"), { own = lists.keys(own), n = state.incr("n") })
    state.app.incr("all " .. msg.format)
    return {
      labels = {
        data  = lists.keys(msg.data),
        own   = lists.keys(own),
        raw   = lists.keys(msg.raw),
        kept  = table.concat(state.keys("seen"), ","),
        json  = json.encode(own.m) .. json.encode(msg.data),
        group = tostring(bucket("group")),
        clock = string.format("%d %02d:%02d %s", time.wall.weekday, time.wall.hour, time.wall.minute, time.wall.zone),
      },
    }
  end,
}

rule "Offers: not at night, in the morning" {
  on      = arrival,
  channel = "offers",
  quiet   = { "21:00", "08:00", otherwise = "defer" },
  cap     = { 5, per = "day", key = "offers" },
  decide  = { badge = "+1", display = { "list", "banner" } },
}

rule "Letters: three a week, whatever hour" {
  on      = arrival,
  channel = { "letters", "lottery" },
  cap     = { 3, per = "week", window = "calendar" },
}

rule "News: for a part of the people" {
  on      = arrival,
  channel = "news",
  rollout = { 60, salt = "news" },
  decide  = function(msg) return { title = text.truncate(text.fill("{t} …", { t = msg.title or "News" }), 12), badge = "+1" } end,
}

rule "Chat: one of many goes into the list" {
  on      = arrival,
  channel = "chat",
  decide  = function()
    if state.incr("in a row", 1) % 3 == 0 then return { display = { "list" }, reason = "one of many" } end
    return { badge = "+1" }
  end,
}

rule "Letters: kept for the app" {
  on     = "receive",
  silent = true,
  decide = function(msg) return { inbox = { id = msg.id, data = msg.data }, fetch_result = "new_data" } end,
}

rule "Tap: to where it leads" {
  on     = "open",
  decide = function(msg, device, event)
    if msg.link then return route(msg.link) end
    return route { tab = "chat", path = { msg.data.room or "lobby", msg.id } }
  end,
}

rule "Alarms: nothing more to say" { on = arrival, channel = "alarm", final = true }

rule "Numbers that break" {
  on   = "present",
  when = function(msg) return msg.badge == 7 end,
  decide = function(msg) return { title = msg.title .. 1 / 0 .. msg.none.such } end,
}
