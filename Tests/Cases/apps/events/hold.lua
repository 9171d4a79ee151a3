-- What is held back, and how it ends.

rule "Offers: never at night" {
  on      = { "send", "present" },
  channel = "offers",
  quiet   = { "21:00", "08:00", otherwise = "defer" },
}

rule "Busy: until the app comes to the front again" {
  on     = { "present", "receive" },
  tab    = "call",
  decide = defer("resume", "somebody is on the phone"),
}

rule "Always until resume" {
  on     = "present",
  when   = function(msg) return msg.data.kind == "resume" end,
  decide = defer("resume", "not now"),
}

rule "Half an hour later, on these rules" {
  on       = "send",
  category = "pin",
  decide   = { display = "defer", hold_until = "30m", pin = true },
}

rule "Two times an hour later" {
  on     = "send",
  when   = function(msg, device, event) return msg.data.kind == "twice" and (event.attempt or 0) < 2 end,
  decide = defer("1h", "later"),
}

rule "Reminders: at eight" {
  on       = "present",
  category = "reminder",
  decide   = defer("08:00", "in the morning"),
}

rule "While somebody is in a call: every five minutes" {
  on       = "send",
  category = "poll",
  tab      = "call",
  decide   = defer("5m", "in a call"),
}

rule "Until a day that is over" {
  on     = "send",
  when   = function(msg) return msg.data.kind == "past" end,
  decide = defer("2020-01-01", "long ago"),
}

rule "When it is due: say so, once" {
  on     = { "send", "due" },
  decide = function(msg, device, event)
    if event.name ~= "due" then return nil end
    return { labels = { due = event.deferred_id, attempt = tostring(event.attempt), of = event.of, n = tostring(state.incr("due")) } }
  end,
}

rule "A tap cannot wait" {
  on     = "open",
  when   = function(msg) return msg.data.kind == "tap" end,
  decide = defer("1h", "later"),
}
