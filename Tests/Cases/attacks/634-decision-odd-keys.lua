-- class: state ; expect: denied ; a decision whose keys are numbers, truths and tables
local function attack()
  return { [1] = "show", [2.5] = 1, [true] = 2, display = "show", [""] = 3, ["\0"] = 4, ["\xff"] = 5 }
end
return attack()
