-- class: error-object ; expect: stopped ; raises msg itself, a function, and a table that holds itself
local function attack()
  local t = {}
  t.t = t
  pcall(error, t) pcall(error, print) pcall(error, HOST and HOST.ud_a)
  error(HOST and HOST.ud_a or t)
end
return attack()
