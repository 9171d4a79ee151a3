-- class: crash ; expect: harmless ; forms near the two that this version compiles wrongly; each must be refused or right
local function attack()
  local two <const> = 2
  local x, t = 1, { [true] = "yes", [false] = "no" }
  local bad = {}
  if (1 | (x and 2)) ~= 3 then bad[#bad + 1] = "and" end
  if (1 ~ (x or 3)) ~= 0 then bad[#bad + 1] = "or" end
  if (x + (x and two)) ~= 3 then bad[#bad + 1] = "const" end
  local less = 1 < 2
  if t[less] ~= "yes" then bad[#bad + 1] = "index" end
  if #bad > 0 then return "WRONG: " .. table.concat(bad, ", ") end
  return "right"
end
return attack()
