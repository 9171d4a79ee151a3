-- class: stack ; expect: stopped ; json.decode and json.encode of values as deep as they may be, and deeper
local function attack()
  if not json then local function f() return 1 + f() end return f() end
  local text = ("["):rep(64) .. ("]"):rep(64)
  local deeper = ("["):rep(30000) .. ("]"):rep(30000)
  while true do local t = json.decode(text) json.decode(deeper) pcall(json.encode, t) end
end
return attack()
