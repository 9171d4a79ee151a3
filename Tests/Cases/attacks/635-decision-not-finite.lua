-- class: state ; expect: denied ; not-a-number, infinity and huge numbers where numbers belong
local function attack()
  return { badge = 0/0, relevance = 1/0, display = "show", labels = { x = -1/0 } }
end
return attack()
