-- class: memory ; expect: stopped ; a table with one number in each power of two, and more between them
local function attack()
  local t, i = {}, 1
  while true do i = i * 3 % 9007199254740993 t[i] = i t[-i] = i t[i + 0.5] = i end
end
return attack()
