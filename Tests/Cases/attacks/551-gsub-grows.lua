-- class: memory ; expect: stopped ; each gsub doubles the text, caught whenever it is too long
local function attack()
  local s = "ab"
  while true do
    local ok, r = pcall(string.gsub, s, ".", "%0%0")
    s = ok and r or "ab"
  end
end
return attack()
