-- class: cpu ; expect: stopped ; json.encode of a text of control characters, each of which becomes six
local function attack()
  if not json then while true do end end
  local s = ("\1"):rep(10000)
  while true do pcall(json.encode, { s }) pcall(json.encode, s) end
end
return attack()
