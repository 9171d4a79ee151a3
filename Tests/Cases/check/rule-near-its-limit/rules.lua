rule "Tap: sum" {
  on     = "open",
  decide = function(msg)
    local n, most = 0, tonumber(msg.data.rounds) or 0
    for i = 1, most do n = n + i end
    return { labels = { n = tostring(n) } }
  end,
}
