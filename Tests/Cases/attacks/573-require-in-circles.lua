-- class: stack ; expect: harmless ; require of names that lead back, out, or nowhere
local function attack()
  if not require then return "none" end
  local n = 0
  for _, name in ipairs { "", ".", "..", "lib.", "lib..", "lib.nothing", "shared.nothing", "_G", "string", "../app", "/etc/passwd", "lib/x", "lib.x.y", "\0", "lib.\0" } do
    if pcall(require, name) then n = n + 1 end
  end
  if n > 0 then return "ESCAPE: require found something" end
  return n
end
return attack()
