-- class: determinism ; expect: harmless ; numbers at the edges as texts: not a number, minus nothing, the largest ones
local function attack()
  local t = {}
  for _, n in ipairs { 0/0, -(0/0), -0.0, 1e308 * 10, 2^63, 1e15, 1e16, 0.1, 1/3, 5e-324, math.mininteger, 2^53 } do
    t[#t + 1] = tostring(n) .. " " .. string.format("%.14g", n)
  end
  return table.concat(t, " ")
end
return attack()
