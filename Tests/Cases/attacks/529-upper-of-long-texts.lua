-- class: cpu ; expect: stopped ; upper, lower, reverse, sub and len in turn over the longest text
local function attack()
  local s = ("aB"):rep(100000)
  while true do s = s:upper():lower():reverse():sub(1, -1) if #s ~= 200000 then break end end
end
return attack()
