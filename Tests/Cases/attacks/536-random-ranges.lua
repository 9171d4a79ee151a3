-- class: cpu ; expect: stopped ; math.random over ranges of which nearly half of the draws do not fit
local function attack()
  local n = 0
  while true do n = n ~ math.random(math.mininteger, 1) ~ math.random(0, (1 << 62) + 1) end
end
return attack()
