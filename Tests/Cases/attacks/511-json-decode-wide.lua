-- class: cpu ; expect: stopped ; json.decode of an object with thousands of keys that begin alike, again and again
local function attack()
  if not json then while true do end end
  local parts = {}
  for i = 1, 5000 do parts[i] = '"k' .. i .. '":1' end
  local text = "{" .. table.concat(parts, ",") .. "}"
  while true do local t = json.decode(text) end
end
return attack()
