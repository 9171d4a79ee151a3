-- class: error-object ; expect: stopped ; raises numbers: not a number, minus nothing, infinity
local function attack()
  pcall(error, 0/0) pcall(error, -0.0) pcall(error, math.huge)
  error(0/0)
end
return attack()
