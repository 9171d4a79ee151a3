-- class: escape ; expect: denied ; calls, concatenates, compares and changes msg and device
local function attack()
  if not HOST then return "nothing to try" end
  local a, b, n = HOST.ud_a, HOST.ud_b, 0
  local tries = {
    function() return a() end, function() return a .. b end, function() return a < b end, function() return a + 1 end,
    function() a.id = "other" end, function() a[1] = 1 end, function() table.insert(a, 1) end, function() table.sort(a) end,
    function() a.data.x = 1 end, function() return a.__index.x end, function() return a.__gc() end, function() return -a end,
    function() return a & b end, function() return a // 1 end,
  }
  for _, try in ipairs(tries) do if pcall(try) then n = n + 1 end end
  if n > 0 then return "ESCAPE: " .. n .. " went through" end
  return "views stay views"
end
return attack()
