-- class: cpu ; expect: stopped ; string.rep with an empty text and a long separator, and the other way round
local function attack()
  local s = ("x"):rep(1000)
  while true do pcall(string.rep, "", 200, s) pcall(string.rep, s, 200, "") pcall(string.rep, "", 1 << 40, "") end
end
return attack()
