-- class: cpu ; expect: stopped ; table.insert and table.remove at the front of a long list
local function attack()
  local t = {}
  for i = 1, 20000 do t[i] = i end
  while true do table.insert(t, 1, 0) table.remove(t, 1) end
end
return attack()
