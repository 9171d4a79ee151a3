rule "Parcels: later" {
  on     = { "send", "enrich" },
  quiet  = { "21:00", "08:00", otherwise = "defer", days = { "sat", "sun" } },
  cap    = { 3, per = "day" },
  state  = { "background", "terminated" },
  decide = { badge = { add = 1, even_if_suppressed = true }, display = "suppress" },
}

rule "Late: into the list" {
  on     = "due",
  decide = { display = { "list" } },
}

rule "Back in front: say so" {
  on      = { "resume", "open" },
  expires = "2030-01-01",
  when    = function(msg, device, event)
    for i = 1, 100 do if event.anything == i then break end end
    return msg.title == nil
  end,
  decide  = function(msg, device, event)
    if event.name == "open" then return route { tab = "home", path = { msg.id } } end
    return { labels = { tap = tostring(device.tap) } }
  end,
}
