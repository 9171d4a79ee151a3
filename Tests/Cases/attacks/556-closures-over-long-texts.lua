-- class: memory ; expect: stopped ; closures that hold the only reference to a long text
local function attack()
  local t = {}
  while true do local s = ("z"):rep(5000) .. #t t[#t + 1] = function() return s end end
end
return attack()
