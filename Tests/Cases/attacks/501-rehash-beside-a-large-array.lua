-- class: cpu ; expect: stopped ; the hash part has two places, the array part 60000: each rebuilding counts all of them again
local function attack()
  local t = {}
  for i = 1, 60000 do t[i] = i end
  local i = 0
  while true do
    i = i + 1
    t["x" .. i % 3] = nil t["y" .. i % 5] = i t["x" .. (i + 1) % 3] = i t["y" .. (i + 3) % 5] = nil
  end
end
return attack()
