-- Names that rules do not have, as far as our own bounded functions can stand in for them: a script that would end at the
-- first missing name gets as far as it would elsewhere, and has to be ended by a limit. Only `make attacks` uses it.
local unpack, select_, pack_, pcall_, type_ = table.unpack, select, table.pack, pcall, type
local function copied(t, more) local c = {} for k, v in pairs(t) do c[k] = v end for k, v in pairs(more) do c[k] = v end return c end
local function nothing() end
local function ends(ok, handler, ...) if ok then return true, ... end return false, handler and handler(...) end
local function xpcall(f, handler, ...) return ends(pcall_(f, handler and ...), handler) end
local metatables = {}
local function setmetatable(t, m) if type_(t) ~= "table" then error("no table", 2) end metatables[#metatables % 50 + 1] = m return t end
local function getmetatable() return nil end
local function rawget(t, k) return t[k] end
local function rawset(t, k, v) t[k] = v return t end
local function rawlen(t) return #t end
local function rawequal(a, b) return a == b end
local function load(source)
  if type_(source) == "function" then local n = 0 repeat local piece = source() n = n + #tostring(piece or "") until not piece or piece == "" return function() return n end end
  return function() return source end
end
local collectgarbage = function() return 0 end
local print, warn = nothing, nothing
local string = copied(string, { dump = function(f) return tostring(f) end, pack = function(f, ...) return (f .. " "):rep(100) end,
  packsize = function() return 1 end, unpack = function() return nil end })
local math = copied(math, { randomseed = nothing })
local os = { time = function() return 0 end, clock = function() return 0 end, getenv = nothing, date = function() return "" end }
local coroutine = {
  create = function(f) return { f = f } end,
  resume = function(c, ...) if not c.f then return false, "dead" end local f = c.f return pcall_(f, ...) end,
  wrap = function(f) return f end,
  yield = nothing, isyieldable = function() return false end, running = function() return {}, true end,
  status = function() return "suspended" end, close = function() return true end,
}
