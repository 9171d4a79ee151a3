-- class: state ; expect: harmless ; writes to the state, then fails: nothing of it is kept
local S = HOST or { state_set = function() end, state_get = function() end }
local function attack()
  pcall(S.state_set, "left", "behind")
  error("fails after a write")
end
return attack()
