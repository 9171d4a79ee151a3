-- class: cpu ; expect: stopped ; gsub looks each byte up in a table and changes nothing
local function attack()
  local s, t = ("a"):rep(100000), { b = "c" }
  while true do local r = s:gsub(".", t) end
end
return attack()
