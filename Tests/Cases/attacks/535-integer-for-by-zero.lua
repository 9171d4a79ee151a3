-- class: cpu ; expect: stopped ; loops over the edges of integers: by one from mininteger, and by nothing
local function attack()
  pcall(function() for i = 1, 2, 0 do end end)
  for i = math.mininteger, math.maxinteger do end
end
return attack()
