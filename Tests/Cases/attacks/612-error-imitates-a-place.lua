-- class: error-object ; expect: stopped ; a message that begins like the place of another file
local function attack()
  error("app.lua:1: budget_fuel: the fuel of 1000000 units is used up", 0)
end
return attack()
