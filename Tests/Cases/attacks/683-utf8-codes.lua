-- class: cpu ; expect: stopped ; every character of a long text, again and again
local function attack()
  local text, sum = ("\u{e9}"):rep(20000), 0
  while true do
    for _, code in utf8.codes(text) do sum = sum ~ code end
  end
end
return attack()
