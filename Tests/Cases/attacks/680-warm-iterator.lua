-- class: state ; expect: denied ; an iterator of gmatch and one of pairs that go on where another call has left them
local function attack()
  local words = ("a b c"):gmatch("%a")
  local step, t = pairs({ x = 1, y = 2 })
  local first, key = words(), step(t)
  if first ~= "a" or key ~= "x" then return "ESCAPE: a loop went on from an earlier run" end
  return "begins anew"
end
return attack()
