-- class: cpu ; expect: stopped ; fractions as keys that share one place of the hash
local function attack()
  local t, keys = {}, {}
  for i = 1, 20000 do keys[i] = i * 4294967296.0 + 0.5 end
  while true do for i = 1, #keys do t[keys[i]] = i end for i = 1, #keys do t[keys[i]] = nil end end
end
return attack()
