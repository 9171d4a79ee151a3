-- class: cpu ; expect: stopped ; select from the end of a long list, in a loop
local function attack()
  local t = {}
  for i = 1, 7000 do t[i] = i end
  local function last(...) local n = 0 for i = 1, 100 do n = n + select(-1, ...) end return n end
  while true do last(table.unpack(t)) end
end
return attack()
