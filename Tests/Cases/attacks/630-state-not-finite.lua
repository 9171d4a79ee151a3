-- class: state ; expect: denied ; infinity and not-a-number as values and inside of tables
local S = HOST or { state_set = function() end, state_get = function() end }
local function attack()
  local n = 0
  for _, v in ipairs { 0/0, 1/0, -1/0 } do
    if pcall(S.state_set, "v", v) then n = n + 1 end
    if pcall(S.state_set, "v", { deep = { v } }) then n = n + 1 end
  end
  if n > 0 and HOST then return "ESCAPE: kept a number that JSON does not have" end
  return n
end
return attack()
