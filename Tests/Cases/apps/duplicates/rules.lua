rule "Count" {
  on     = { "send", "enrich", "present", "receive", "due" },
  decide = function(msg)
    state.incr("asked")
    if msg.silent then return { badge = "+1", display = "show" } end
    return { badge = "+1" }
  end,
}

rule "Tap: to the room" {
  on     = "open",
  decide = function(msg)
    state.incr("asked")
    return { route = { tab = "chat", path = { "room-" .. tostring(state.get("asked")) } }, reason = "the room that was meant" }
  end,
}
