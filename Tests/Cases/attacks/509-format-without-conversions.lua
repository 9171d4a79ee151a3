-- class: cpu ; expect: stopped ; a format of 200000 bytes without any conversion, and one of doubled percent signs
local function attack()
  local plain, percent = ("x"):rep(200000), ("%%"):rep(100000)
  while true do local a, b = string.format(plain), string.format(percent) end
end
return attack()
