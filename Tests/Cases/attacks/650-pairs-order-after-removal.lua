-- class: determinism ; expect: harmless ; the order of pairs after keys were removed and set again
local function attack()
  local function walk(t) local o = {} for k in pairs(t) do o[#o + 1] = tostring(k) end return table.concat(o, " ") end
  local a, b = {}, {}
  for i = 1, 100 do a["k" .. i] = i end
  for i = 100, 1, -1 do b["k" .. i] = i end
  for i = 1, 100, 2 do a["k" .. i] = nil b["k" .. i] = nil end
  for i = 1, 100, 4 do a["k" .. i] = 1 end
  for i = 97, 1, -4 do b["k" .. i] = 1 end
  if walk(a) ~= walk(b) and HOST then return "WRONG: two orders" end
  return #walk(a)
end
return attack()
