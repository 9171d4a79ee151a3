-- class: escape ; expect: denied ; a variable that is to be closed
local function attack()
  local x <close> = nil
  return "ESCAPE: it compiled"
end
return attack()
