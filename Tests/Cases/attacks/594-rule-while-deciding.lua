-- class: escape ; expect: denied ; declares a rule, or runs a host function, at the wrong time
local function attack()
  if not rule then return "none" end
  if HOST and pcall(function() rule "another" { on = "present", decide = { display = "suppress" } } end) then return "ESCAPE: a rule was declared" end
  if HOST and pcall(function() rule("another", { on = "present" }) end) then return "ESCAPE: a rule was declared" end
  return "no rule"
end
return attack()
