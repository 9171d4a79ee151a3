-- class: cpu ; expect: stopped ; short texts that all fall into one place of the table in which Lua keeps each text once
local function attack()
  local function hash(s, seed)
    local h = (seed ~ #s) & 0xffffffff
    for i = #s, 1, -1 do h = h ~ (((h << 5) + (h >> 2) + s:byte(i)) & 0xffffffff) end
    return h & 0xffffffff
  end
  local pairs_of = {}
  local seed, tail = 0x52756c65, ""
  -- Two bytes before the same tail that leave the same hash: doubles the number of texts.
  local function step(h, a, b)
    h = (h ~ ((h << 5) + (h >> 2) + a)) & 0xffffffff
    return (h ~ ((h << 5) + (h >> 2) + b)) & 0xffffffff
  end
  local h = (seed ~ 36) & 0xffffffff
  for block = 1, 14 do
    local seen, found = {}, nil
    for a = 64, 127 do for b = 0, 255, 1 do
      if not found then
        local g = step(h, a, b)
        if seen[g] and seen[g][1] ~= a then found = { seen[g], { a, b }, g } end
        seen[g] = seen[g] or { a, b }
      end
    end if found then break end end
    if not found then break end
    pairs_of[block] = { string.char(found[1][2], found[1][1]), string.char(found[2][2], found[2][1]) }
    h = found[3]
  end
  local kept = {}
  for n = 0, (1 << #pairs_of) - 1 do
    local parts = {}
    for block = #pairs_of, 1, -1 do parts[#parts + 1] = pairs_of[block][1 + (n >> (block - 1) & 1)] end
    kept[n + 1] = ("p"):rep(36 - 2 * #pairs_of) .. table.concat(parts)
  end
  local n = 0
  while true do for i = 1, #kept do local a, b = kept[i]:sub(1, 20), kept[i]:sub(21) if a .. b then n = n + 1 end end end
end
return attack()
