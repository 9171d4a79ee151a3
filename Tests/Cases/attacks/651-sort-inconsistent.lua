-- class: determinism ; expect: harmless ; a comparison that contradicts itself: an order comes out, the same one each time
local function attack()
  local function once() local t = {} for i = 1, 100 do t[i] = i * 37 % 101 end table.sort(t, function(a, b) return true end) return table.concat(t, " ") end
  local ok, first = pcall(once)
  local again, second = pcall(once)
  if ok ~= again or first ~= second then return "WRONG: two orders" end
  return ok
end
return attack()
