-- class: cpu ; expect: stopped ; table.move sets one place far outside of a list of 60000, so that the table is rebuilt
local function attack()
  local t = {}
  for i = 1, 60000 do t[i] = i end
  local i = 0
  while true do
    i = i + 1
    table.move({ i }, 1, 1, 1000000 + i % 7 * 65536, t)
    t[1000000 + (i + 3) % 7 * 65536] = nil
  end
end
return attack()
