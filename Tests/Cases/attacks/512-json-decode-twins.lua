-- class: cpu ; expect: stopped ; json.decode of an object that has one key thousands of times
local function attack()
  if not json then while true do end end
  local text = "{" .. ('"k":1,'):rep(8000) .. '"k":2}'
  while true do local t = json.decode(text) end
end
return attack()
