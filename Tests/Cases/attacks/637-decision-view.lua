-- class: state ; expect: denied ; the message itself as the decision, and as parts of it
local function attack()
  if not HOST then return { inbox = {} } end
  return { inbox = HOST.ud_a, route = HOST.ud_b, labels = HOST.ud_a }
end
return attack()
