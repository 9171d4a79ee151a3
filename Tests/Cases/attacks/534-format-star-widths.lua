-- class: cpu ; expect: stopped ; string.format with the widest widths and precisions of every conversion
local function attack()
  local n = 0
  while true do
    for _, f in ipairs { "%99d", "%-99s", "%+.99f", "%#.99g", "%099.99e", "%.99a", "%99x", "%.99i", "%99c", "%99o", "%99u" } do
      if pcall(string.format, f, 1e300) then n = n + 1 end
      if pcall(string.format, f, 7) then n = n + 1 end
    end
  end
end
return attack()
