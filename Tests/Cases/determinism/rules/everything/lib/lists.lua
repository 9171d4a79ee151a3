local lists = {}

-- The keys of a table in the order in which `pairs` gives them.
function lists.keys(t)
  local all = {}
  for key, value in pairs(t) do all[#all + 1] = tostring(key) .. ":" .. type(value) end
  return table.concat(all, ",")
end

return lists
