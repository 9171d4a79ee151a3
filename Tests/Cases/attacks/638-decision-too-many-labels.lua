-- class: state ; expect: denied ; a decision of more entries than one value may have
local function attack()
  local t = { display = "show", labels = {} }
  for i = 1, 5000 do t.labels["l" .. i] = "v" end
  return t
end
return attack()
