-- class: cpu ; expect: stopped ; a list of the message gone through again and again: each step makes little of itself
local function attack()
  local list = HOST and HOST.ud_a.raw and HOST.ud_a.raw.list or { 1, 2, 3, 4, 5, 6, 7, 8 }
  local sum = 0
  while true do
    for _, v in ipairs(list) do sum = sum + (tonumber(v) or 1) end
  end
end
return attack()
