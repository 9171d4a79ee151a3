-- class: cpu ; expect: stopped ; a list of many arguments goes through ten functions, each of which looks at one
local function attack()
  local t = {}
  for i = 1, 1000 do t[i] = i end
  local function go(depth, first, ...) if depth == 0 then return first end return go(depth - 1, ...) end
  while true do go(10, table.unpack(t)) end
end
return attack()
