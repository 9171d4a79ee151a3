-- class: cpu ; expect: stopped ; tonumber with a base over long texts, of spaces and of digits
local function attack()
  local spaces, digits = (" "):rep(200000), ("z"):rep(200000)
  while true do local a, b, c = tonumber(spaces, 36), tonumber(digits, 36), tonumber(spaces .. "1", 10) end
end
return attack()
