-- class: error-object ; expect: stopped ; a message cut in the middle of a character, with bytes that no text has
local function attack()
  error(("\xf0\x9f\x98"):rep(400) .. "\xff\xfe\xc0\x80\xed\xa0\x80", 0)
end
return attack()
