-- A message wakes the app without a tap.

rule "Every message was worth waking up for" {
  on     = "receive",
  decide = { fetch_result = "new_data" },
}

rule "No page on the screen: keep it until there is one" {
  on     = "receive",
  state  = { "background", "terminated", "force_quit" },
  decide = function(msg) return { inbox = msg.data } end,
}

rule "The page is there: hand it over at once" {
  on     = "receive",
  state  = { "foreground", "inactive" },
  silent = true,                          -- one with a banner is handed over with its banner
  decide = { labels = { page = "now" } },
}
