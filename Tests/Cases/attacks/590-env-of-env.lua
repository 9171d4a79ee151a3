-- class: escape ; expect: denied ; _ENV in itself, _ENV as an upvalue, _ENV set to another table
local function attack()
  local bad = {}
  if _ENV._ENV ~= nil then bad[#bad + 1] = "_ENV._ENV" end
  if _ENV._G ~= nil and _ENV._G.io ~= nil then bad[#bad + 1] = "_G.io" end
  local function inside() local _ENV = { x = 1 } return x, string end
  local x, s = inside()
  if x ~= 1 or s ~= nil then bad[#bad + 1] = "local _ENV" end
  if pcall(function() _ENV.pcall = nil end) and _ENV.pcall == nil and HOST then bad[#bad + 1] = "wrote _ENV" end
  if #bad > 0 then return "ESCAPE: " .. table.concat(bad, ", ") end
  return "kept in"
end
return attack()
