-- class: escape ; expect: denied ; reaches for the metatable of texts through methods and operators
local function attack()
  local s = "x"
  local bad = {}
  for _, name in ipairs { "__index", "__metatable", "__name", "__gc", "__close", "__add", "dump", "pack", "unpack", "packsize" } do
    if s[name] ~= nil then bad[#bad + 1] = name end
  end
  if pcall(function() s.upper = nil end) then bad[#bad + 1] = "wrote a method" end
  if pcall(function() s[1] = 1 end) then bad[#bad + 1] = "wrote a place" end
  if ("10" + 5) ~= 15 or ("3" * "4") ~= 12 or -"2" ~= -2 then bad[#bad + 1] = "arithmetic" end
  if #bad > 0 then return "ESCAPE: " .. table.concat(bad, ", ") end
  return "texts are only texts"
end
return attack()
