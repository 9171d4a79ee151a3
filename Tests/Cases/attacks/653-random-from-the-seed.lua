-- class: determinism ; expect: harmless ; random numbers are the same in each run of one message
local function attack()
  if not math.random then return "none" end
  local t = {}
  for i = 1, 10 do t[i] = math.random(1000) end
  return table.concat(t, " ")
end
return attack()
