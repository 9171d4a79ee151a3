-- class: escape ; expect: denied ; marks that turn the reading direction hide code in a comment
local function attack()
  local denied = true
  --‮ } ⁦ if denied then⁩ ⁦ begin
  return denied and "denied" or "ESCAPE"
end
return attack()
