-- class: cpu ; expect: stopped ; table.concat writes fractions as texts, thousands in one call
local function attack()
  local t = {}
  for i = 1, 8000 do t[i] = i + 0.1 end
  while true do local s = table.concat(t, ",") end
end
return attack()
