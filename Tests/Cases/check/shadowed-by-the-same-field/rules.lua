rule "A tap: home" {
  on     = "open",
  state  = { "foreground", "background" },
  decide = { route = { tab = "home" }, labels = { from = "tap" } },
}

rule "A tap in front: chat" {
  on     = "open",
  state  = "foreground",
  decide = function() return route { tab = "chat" } end,
}
