-- class: cpu ; expect: stopped ; errors with levels that lead far up the stack, caught each time
local function attack()
  local function deep(n) if n == 0 then error("x", 150) end deep(n - 1) end
  while true do pcall(deep, 180) end
end
return attack()
