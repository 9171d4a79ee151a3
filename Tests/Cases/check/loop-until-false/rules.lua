rule "Open: wait" {
  on     = "open",
  decide = function()
    local n = 0
    repeat n = n + 1 until false
  end,
}
