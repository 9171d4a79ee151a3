-- class: cpu ; expect: stopped ; closures that capture a new variable each turn and are thrown away
local function attack()
  local f
  while true do for i = 1, 1000 do local a, b, c = i, i, i f = function() return a + b + c end end end
end
return attack()
