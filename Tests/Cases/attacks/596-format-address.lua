-- class: escape ; expect: denied ; %p, %q and %s of functions and tables, for addresses
local function attack()
  local out = {}
  for _, v in ipairs { {}, function() end, pcall, HOST and HOST.ud_a or {} } do
    for _, f in ipairs { "%p", "%s", "%q", "%x", "%d" } do
      local ok, s = pcall(string.format, f, v)
      if ok and s:find("0x%x%x%x") then out[#out + 1] = s end
    end
    if tostring(v):find("0x%x%x%x") then out[#out + 1] = tostring(v) end
  end
  if #out > 0 and HOST then return "ESCAPE: " .. out[1] end
  return "no addresses"
end
return attack()
