-- A message comes while the person is using the app. iOS before 14 gets an alert for banner and list by itself.

rule "Title and body are there: hand it to the page, too" {
  on     = "present",
  when   = function(msg) return msg.title ~= nil and msg.body ~= nil end,
  decide = { labels = { page = "now" } },
}

rule "App in front: show everything" {
  on     = "present",
  decide = show { "banner", "list", "badge", "sound" },
}
