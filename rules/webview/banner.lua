-- A message comes while the person is using the app. iOS before 14 gets an alert for banner and list by itself.
-- The label tells the app to hand the message in its hand to the page; what is covered by another screen waits.

rule "Title and body are there: to the page, too" {
  on     = "present",
  state  = "foreground",
  when   = function(msg) return msg.title ~= nil and msg.body ~= nil end,
  decide = { labels = { page = "now" } },
}

rule "Title and body are there, and the app is covered: to the page once it is back" {
  on     = "present",
  state  = "inactive",
  when   = function(msg) return msg.title ~= nil and msg.body ~= nil end,
  decide = function(msg) return { inbox = msg.data } end,
}

rule "App in front: show everything" {
  on     = "present",
  decide = show { "banner", "list", "badge", "sound" },
}
