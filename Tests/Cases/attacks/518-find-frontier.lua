-- class: cpu ; expect: stopped ; a frontier and a set that are looked at for each byte, anchored nowhere
local function attack()
  local s = ("a"):rep(100000)
  while true do local a, b = s:find("%f[^a]b"), s:find("[^%w%s%p%c]+$") end
end
return attack()
