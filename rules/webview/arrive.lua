-- A message wakes the app without a tap.

rule "Every message was worth waking up for" {
  on     = "receive",
  decide = { fetch_result = "new_data" },
}

rule "Silent, and the page is there: hand it over at once" {
  on     = "receive",
  silent = true,
  state  = "foreground",
  decide = { labels = { page = "now" } },
}

rule "Silent, and no page to see: keep it" {
  on     = "receive",
  silent = true,
  state  = { "inactive", "background", "terminated", "force_quit" },
  decide = function(msg) return { inbox = msg.data } end,
}

rule "Shown by the phone: for the page, once the app is opened" {
  on     = "receive",
  silent = false,
  state  = { "background", "terminated", "force_quit" },   -- in front it goes to the page with its banner
  decide = function(msg) return { inbox = msg.data } end,
}
