-- class: cpu ; expect: stopped ; json.decode of numbers with hundreds of digits
local function attack()
  if not json then while true do end end
  local number = ("7"):rep(400) .. "." .. ("3"):rep(400) .. "e-300"
  local text = "[" .. (number .. ","):rep(70) .. "1]"
  while true do local t = json.decode(text) end
end
return attack()
