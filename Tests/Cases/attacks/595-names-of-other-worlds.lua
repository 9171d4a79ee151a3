-- class: escape ; expect: denied ; names that other hosts have given their scripts
local function attack()
  local found = {}
  for _, name in ipairs { "ngx", "redis", "KEYS", "ARGV", "rspamd_config", "game", "script", "shared", "getfenv", "setfenv", "loadstring", "newproxy",
    "gcinfo", "module", "jit", "ffi", "bit", "bit32", "unpack", "table.foreach", "process", "wait", "spawn", "_VERSION", "arg", "collectgarbage",
    "rawget", "rawset", "rawequal", "rawlen", "debug", "io", "os", "package", "coroutine", "load", "dofile", "loadfile", "xpcall", "warn", "print",
    "getmetatable", "setmetatable" } do
    if _ENV[name] ~= nil and HOST then found[#found + 1] = name end
  end
  if #found > 0 then return "ESCAPE: " .. table.concat(found, ", ") end
  return "none of them"
end
return attack()
