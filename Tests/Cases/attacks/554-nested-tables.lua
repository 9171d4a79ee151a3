-- class: memory ; expect: stopped ; tables in tables in tables, as deep as memory goes
local function attack()
  local t = {}
  while true do t = { t } end
end
return attack()
