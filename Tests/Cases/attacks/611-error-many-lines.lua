-- class: error-object ; expect: stopped ; a message of many lines, control characters and marks that turn the reading direction
local function attack()
  error(("line\n\27[31mred\27[0m\r\8\8\u{202e}desrever\u{2066}\0end\n"):rep(500), 0)
end
return attack()
