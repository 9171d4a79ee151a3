-- class: cpu ; expect: stopped ; several lazy repetitions in a row: polynomial in the text's length
local function attack()
  local s = ("a"):rep(3000)
  while true do local a = s:find(".-.-.-.-b") end
end
return attack()
