-- A message comes while the person is using the app. iOS before 14 gets an alert for banner and list by itself.

rule "Title and body are there: for the page, too" {
  on     = "present",
  when   = function(msg) return msg.title ~= nil and msg.body ~= nil end,
  decide = function(msg) return { inbox = msg.data } end,
}

rule "App in front: show everything" {
  on     = "present",
  decide = show { "banner", "list", "badge", "sound" },
}
