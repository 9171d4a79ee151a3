-- class: state ; expect: harmless ; msg and parts of it as values of the state
local S = HOST or { state_set = function() end, state_get = function() end }
local function attack()
  if not HOST then return "nothing to try" end
  pcall(S.state_set, "whole", HOST.ud_a)
  pcall(S.state_set, "part", HOST.ud_a.data)
  local t = S.state_get("part")
  if t == HOST.ud_a.data then return "ESCAPE: the view itself came back" end
  return type(t)
end
return attack()
