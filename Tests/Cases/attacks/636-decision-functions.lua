-- class: state ; expect: denied ; functions inside of a decision
local function attack()
  return { display = "show", title = function() return "x" end, labels = { f = pcall } }
end
return attack()
