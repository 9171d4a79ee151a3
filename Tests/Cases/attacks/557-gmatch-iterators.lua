-- class: memory ; expect: stopped ; iterators of gmatch that are begun and kept
local function attack()
  local t, s = {}, ("w "):rep(1000)
  while true do local g = (s .. #t):gmatch("%w+") g() t[#t + 1] = g end
end
return attack()
