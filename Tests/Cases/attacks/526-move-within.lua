-- class: cpu ; expect: stopped ; table.move of a whole list onto itself, one place on
local function attack()
  local t = {}
  for i = 1, 20000 do t[i] = i end
  while true do table.move(t, 1, 20000, 2) table.move(t, 1, 0, 1) table.move(t, 2, 20001, 1) end
end
return attack()
