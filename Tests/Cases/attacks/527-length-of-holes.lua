-- class: cpu ; expect: stopped ; the length of a table with holes, which Lua searches for each time
local function attack()
  local t = {}
  for i = 1, 60000 do t[i] = i end
  for i = 60000, 30000, -1 do t[i] = nil end
  local n = 0
  while true do t[40000] = 1 n = n + #t t[40000] = nil n = n + #t end
end
return attack()
