-- class: cpu ; expect: stopped ; assert with the longest message, caught and thrown on
local function attack()
  local s = ("x"):rep(250000)
  while true do local ok, m = pcall(assert, false, s) pcall(error, m .. "y", 2) end
end
return attack()
