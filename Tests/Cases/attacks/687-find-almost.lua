-- class: cpu ; expect: stopped ; a text looked for where it almost is, at every place
local function attack()
  local hay, needle = ("x"):rep(20000), ("x"):rep(2000) .. "y" .. ("x"):rep(2000)
  while true do hay:find(needle, 1, true) end
end
return attack()
