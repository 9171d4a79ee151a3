-- class: cpu ; expect: stopped ; `<` between texts of zero bytes: Lua compares them piece by piece, one call for each byte
local function attack()
  local s = ("\0"):rep(200000)
  local longer, n = s .. "x", 0
  while true do if s < longer then n = n + 1 end end
end
return attack()
