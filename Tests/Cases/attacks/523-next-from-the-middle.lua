-- class: cpu ; expect: stopped ; next from a key in the middle, of two tables in turn, so that nothing is remembered between two calls
local function attack()
  local a, b = {}, {}
  for i = 1, 3000 do a["k" .. i] = i b["k" .. i] = i end
  while true do next(a, "k1500") next(b, "k1500") end
end
return attack()
