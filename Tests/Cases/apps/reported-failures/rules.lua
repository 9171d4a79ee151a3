rule "Endless, labelled: into the list" {
  on      = "present",
  channel = "endless, labelled",
  decide  = { display = { "list" }, labels = { asked = "yes" } },
}

rule "Endless: never done" {
  on      = "present",
  channel = { "endless", "endless, labelled", "endless, writing" },
  decide  = function()
    state.set("begun", true)
    while true do end
  end,
}

rule "Hungry: more and more" {
  on      = "present",
  channel = "hungry",
  decide  = function()
    local all = {}
    while true do all[#all + 1] = string.rep("x", 250000) end
  end,
}

rule "Raised: fails" { on = "present", channel = "raised", decide = function() error("no luck") end }

local function again(n) return 1 + again(n) end
rule "Recursive: asks itself" { on = "present", channel = "recursive", decide = function() return { badge = again(1) } end }

local ping
local function pong(n) return 1 + ping(n) end
function ping(n) return 1 + pong(n) end
rule "Ping-pong: two that ask each other" { on = "present", channel = "ping-pong", when = function() return ping(1) > 0 end, decide = {} }

rule "Sorting: sorts while it sorts" {
  on      = "present",
  channel = "sorting",
  decide  = function()
    local function order(a, b)
      table.sort({ 3, 1, 2 }, order)
      return a < b
    end
    table.sort({ 2, 1 }, order)
    return {}
  end,
}
