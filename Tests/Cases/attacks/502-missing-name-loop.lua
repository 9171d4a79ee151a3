-- class: cpu ; expect: stopped ; reads a name that nothing has, again and again: at load each is to be remembered with its place
local function attack()
  local n = 0
  while true do if no_such_name == nil then n = n + 1 end end
end
return attack()
