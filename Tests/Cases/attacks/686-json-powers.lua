-- class: cpu ; expect: stopped ; numbers of JSON that are dear to read: fractions and great powers of ten
local function attack()
  local text = "[" .. ("1.7976931348623157e308,4.9e-324,"):rep(400) .. "0]"
  while true do json.decode(text) end
end
return attack()
