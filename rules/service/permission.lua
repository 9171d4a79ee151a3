-- The app is in front and ready; iOS lets it ask only once.

rule "Never asked: ask for alert, badge and sound" {
  on     = "resume",
  when   = function(msg, device) return device.permission == "not_determined" end,
  decide = { labels = { ask_permission = "alert, badge, sound" } },
}
