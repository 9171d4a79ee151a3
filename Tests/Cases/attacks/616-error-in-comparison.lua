-- class: error-object ; expect: stopped ; the error of a comparison inside a sort inside a gsub
local function attack()
  ("x"):gsub("x", function() table.sort({ 3, 2, 1 }, function() error({ "inside" }) end) end)
  error("not reached")
end
return attack()
