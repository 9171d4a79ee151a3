-- class: cpu ; expect: stopped ; gsub with 32 empty captures at each of many places
local function attack()
  local s = ("a"):rep(50000)
  local p = ("()"):rep(31) .. "a"
  while true do local r = s:gsub(p, "%1") end
end
return attack()
