-- class: cpu ; expect: stopped ; a back reference compares long pieces at each place
local function attack()
  local s = ("a"):rep(20000) .. "b"
  while true do local a = s:find("(a+)%1c") end
end
return attack()
