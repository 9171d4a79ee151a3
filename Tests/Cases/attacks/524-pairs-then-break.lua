-- class: cpu ; expect: stopped ; pairs over a large table of texts, left at the first turn
local function attack()
  local t = {}
  for i = 1, 4000 do t["k" .. i * 7919 % 4000] = i end
  while true do for k in pairs(t) do break end end
end
return attack()
