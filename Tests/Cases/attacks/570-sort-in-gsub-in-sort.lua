-- class: stack ; expect: stopped ; sort calls gsub calls sort calls gsub, without end
local function attack()
  local function go() table.sort({ 2, 1 }, function(a, b) ("x"):gsub("x", go) return a < b end) end
  while true do pcall(go) end
end
return attack()
