-- class: cpu ; expect: stopped ; the host chooses among forms of a word, as often as it can be asked
local plural = text and text.plural or function(n, forms) return forms[n == 1 and "one" or "other"] end
local function attack()
  local forms = { zero = "a", one = "b", two = "c", few = "d", many = "e", other = "{n} f" }
  local n = 0
  while true do n = n + 1 plural(n, forms) end
end
return attack()
