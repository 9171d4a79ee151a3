rule "Tap: count" {
  on     = "open",
  decide = function(msg)
    taps = 1
    return { labels = { taps = "1" } }
  end,
}
