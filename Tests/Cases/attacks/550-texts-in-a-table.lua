-- class: memory ; expect: stopped ; keeps texts that are all a little different
local function attack()
  local t = {}
  while true do t[#t + 1] = ("x"):rep(1000) .. #t end
end
return attack()
