-- class: memory ; expect: stopped ; keeps what json.decode gives
local function attack()
  if not json then local t = {} while true do t[#t + 1] = { {} } end end
  local text, kept = "[" .. ("[],"):rep(5000) .. "1]", {}
  while true do kept[#kept + 1] = json.decode(text) end
end
return attack()
