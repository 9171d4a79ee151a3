-- class: cpu ; expect: stopped ; table.pack and table.unpack of the longest list, in a loop
local function attack()
  local t = {}
  for i = 1, 7900 do t[i] = i end
  while true do t = table.pack(table.unpack(t, 1, 7900)) end
end
return attack()
