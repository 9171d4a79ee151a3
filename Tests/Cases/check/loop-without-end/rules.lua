rule "Open: wait" {
  on     = "open",
  decide = function()
    local n = 0
    while true do n = n + 1 end
  end,
}
