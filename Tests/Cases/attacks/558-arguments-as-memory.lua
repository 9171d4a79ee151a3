-- class: memory ; expect: stopped ; recursion that holds a long list of arguments in each frame
local function attack()
  local t = {}
  for i = 1, 500 do t[i] = i end
  local function hold(...) local n = select("#", ...) return 1 + hold(n, table.unpack(t)) end
  hold()
end
return attack()
