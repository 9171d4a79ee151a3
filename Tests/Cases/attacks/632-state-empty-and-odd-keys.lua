-- class: state ; expect: harmless ; keys that are empty, numbers, truths, tables, functions, or not texts at all
local S = HOST or { state_set = function() end, state_get = function() end }
local function attack()
  local n = 0
  for _, k in ipairs { "", 1, 1.5, true, {}, print or 7, "\0", "\xff", ("k"):rep(129), " ", "a\nb", "__proto__", "constructor" } do
    if pcall(S.state_set, k, 1) then n = n + 1 end
    pcall(S.state_get, k)
  end
  pcall(S.state_set) pcall(S.state_set, "only a key") pcall(S.state_get)
  return n
end
return attack()
