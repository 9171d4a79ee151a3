-- class: memory ; expect: stopped ; a list of texts whose join is just too long, tried again with one less
local function attack()
  local t = {}
  for i = 1, 400 do t[i] = ("y"):rep(1000) end
  while true do if pcall(table.concat, t) then t[#t + 1] = t[1] else t[#t] = nil end t[#t + 1] = t[1] end
end
return attack()
