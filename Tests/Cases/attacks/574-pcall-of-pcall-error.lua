-- class: stack ; expect: stopped ; pcall handed to itself as deep as arguments go, ending in error
local function attack()
  local list = {}
  for i = 1, 190 do list[i] = pcall end
  list[191] = error
  while true do pcall(table.unpack(list)) end
end
return attack()
