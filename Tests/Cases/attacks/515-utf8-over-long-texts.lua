-- class: cpu ; expect: stopped ; utf8.len, utf8.offset and utf8.codes over the longest text
local function attack()
  local s = ("\u{20ac}"):rep(60000)
  while true do local a, b = utf8.len(s), utf8.offset(s, -50000) for _ in utf8.codes(s) do break end end
end
return attack()
