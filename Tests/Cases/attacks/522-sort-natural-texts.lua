-- class: cpu ; expect: stopped ; sorting texts that are equal but for the last of their bytes
local function attack()
  local t, head = {}, ("x"):rep(2000)
  for i = 1, 300 do t[i] = head .. i end
  while true do table.sort(t) table.sort(t, function(a, b) return a > b end) end
end
return attack()
