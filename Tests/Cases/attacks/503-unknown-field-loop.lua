-- class: cpu ; expect: stopped ; reads fields of msg that it does not have; each is a warning with its place
local function attack()
  if not HOST then while true do local x = no_such_name end end
  local i = 0
  while true do i = i + 1 local x = HOST.ud_a["f" .. i % 40] end
end
return attack()
