-- class: stack ; expect: stopped ; patterns with as many captures and choices as there may be, one in another
local function attack()
  local n = 0
  while true do
    if pcall(string.find, ("a"):rep(5000), ("(a-"):rep(32) .. (")"):rep(32) .. "$") then n = n + 1 end
    pcall(string.find, ("("):rep(5000) .. (")"):rep(5000), "%b()")
  end
end
return attack()
