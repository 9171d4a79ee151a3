-- class: stack ; expect: harmless ; a long chain of calls in one expression
local function f() return nil end
local function attack()
  local ok = pcall(function() return f()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()() end)
  return ok
end
return attack()
