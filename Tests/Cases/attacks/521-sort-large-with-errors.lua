-- class: cpu ; expect: stopped ; the comparison raises in the middle of a large sort, and is caught
local function attack()
  local t = {}
  for i = 1, 5000 do t[i] = 5000 - i end
  local n = 0
  while true do pcall(table.sort, t, function(a, b) n = n + 1 if n % 4000 == 0 then error() end return a < b end) end
end
return attack()
