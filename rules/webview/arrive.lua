-- A message wakes the app without a tap.

rule "Every message was worth waking up for" {
  on     = "receive",
  decide = { fetch_result = "new_data" },
}

rule "Silent: for the page" {
  on     = "receive",
  silent = true,
  decide = function(msg) return { inbox = msg.data } end,
}

rule "Shown by the phone: for the page, once the app is opened" {
  on     = "receive",
  silent = false,
  state  = { "background", "terminated", "force_quit" },   -- in front it goes to the page with its banner
  decide = function(msg) return { inbox = msg.data } end,
}
