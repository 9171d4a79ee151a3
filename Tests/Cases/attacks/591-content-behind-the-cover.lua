-- class: escape ; expect: denied ; looks for the real table behind a read-only one: what pairs, ipairs and next hand out, and library functions that write
local function attack()
  if not HOST then return "nothing to try" end
  local tries = {
    function() local f, t = pairs(HOST.readonly) t.format = nil return t end,
    function() local f, t = ipairs(HOST.readonly) t.format = nil end,
    function() table.insert(HOST.readonly, 1) end,
    function() table.remove(HOST.readonly) end,
    function() table.sort(HOST.readonly) end,
    function() table.move({ 1 }, 1, 1, 1, HOST.readonly) end,
    function() HOST.readonly[1] = 1 end,
    function() HOST.readonly.format = function() return "owned" end end,
    function() for k, v in pairs(HOST.readonly) do HOST.readonly[k] = false end end,
    function() table.unpack(HOST.readonly).x = 1 end,
  }
  local n = 0
  for _, try in ipairs(tries) do if pcall(try) then n = n + 1 end end
  if string.format("%d", 7) ~= "7" or ("x").format == nil then return "ESCAPE: string.format was changed" end
  if n > 0 then return "ESCAPE: " .. n .. " writes went through" end
  return "read-only"
end
return attack()
