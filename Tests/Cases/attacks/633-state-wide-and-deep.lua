-- class: state ; expect: denied ; values at and above each limit: bytes, entries, depth
local S = HOST or { state_set = function() end, state_get = function() end }
local function attack()
  local wide, deep, n = {}, {}, 0
  for i = 1, 1001 do wide[i] = i end
  for i = 1, 17 do deep = { deep } end
  if pcall(S.state_set, "wide", wide) then n = n + 1 end
  if pcall(S.state_set, "deep", deep) then n = n + 1 end
  if pcall(S.state_set, "long", ("x"):rep(65537)) then n = n + 1 end
  if pcall(S.state_set, "list", { 1, 2, nil, 4, x = 5 }) then n = n + 1 end
  if pcall(S.state_set, "far", { [1000000] = 1 }) then n = n + 0 end
  if n > 0 and HOST then return "ESCAPE: kept more than it may" end
  return n
end
return attack()
