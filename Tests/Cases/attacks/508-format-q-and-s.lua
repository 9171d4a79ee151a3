-- class: cpu ; expect: stopped ; string.format with %q and %s of the longest text that there may be
local function attack()
  local s = ("\n\0\r\""):rep(20000)
  while true do pcall(string.format, "%q", s) pcall(string.format, "%s%s", s, s) end
end
return attack()
