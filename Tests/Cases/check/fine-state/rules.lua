local function key(msg) return "room:" .. tostring(msg.data.room) end

rule "Tap: count" {
  on     = "open",
  decide = function(msg)
    state.set(key(msg), true, { ttl = 3600 })
    state.app.incr("taps")
    local mine = state.incr("taps")
    if state.app.get("taps") or state.has("room:lobby") then state.delete("taps") end
    return { labels = { taps = tostring(mine), rooms = table.concat(state.keys("room:"), " ") } }
  end,
}
