-- class: error-object ; expect: stopped ; error with levels that are none
local function attack()
  for _, level in ipairs { -1, 0, 1e9, 2^53, -2^53, math.mininteger, math.maxinteger } do pcall(error, "x", level) end
  pcall(error, "x", "y") pcall(error, "x", {}) pcall(error, "x", 1.5) pcall(error)
  error("x", math.maxinteger)
end
return attack()
