-- class: escape ; expect: denied ; addresses, host paths and host functions in the texts of errors
local function attack()
  local bad = {}
  for _, try in ipairs { function() return {} .. {} end, function() return {} < {} end, function() return nil + {} end, function() return pcall.x.y end,
    function() return #pcall end, function() return ("x")() end, function() return {}() end, function() string.rep() end, function() ipairs() end,
    function() table.concat({ {} }) end, function() error() end, function() error({}) end, function() tostring() end } do
    local ok, m = pcall(try)
    m = tostring(m)
    if m:find("0x%x%x%x") or m:find("/usr") or m:find("/work") or m:find("%[C%]") or m:find("%.c:") then bad[#bad + 1] = m end
  end
  if #bad > 0 and HOST then return "ESCAPE: " .. bad[1] end
  return "clean"
end
return attack()
