rule "Open: search" {
  on     = "open",
  decide = function()
    local n = 0
    for i = 1, 900000 do n = n + i end
    return { labels = { n = tostring(n) } }
  end,
}
