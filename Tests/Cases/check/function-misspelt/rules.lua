rule "Tap: count" {
  on     = "open",
  decide = function(msg)
    local taps = state.inc("taps")
    return { labels = { taps = tostring(taps) } }
  end,
}
