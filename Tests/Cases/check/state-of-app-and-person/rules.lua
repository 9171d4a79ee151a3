rule "Tap: count" {
  on     = "open",
  decide = function()
    local before = state.app.get("taps") or 0
    state.set("taps", before + 1)
    return { labels = { taps = tostring(before) } }
  end,
}
