-- A message reaches the app without anything on the screen: the app itself posts the notification.

rule "Every background message was worth waking up for" {
  on     = "receive",
  decide = { fetch_result = "new_data" },
}

rule "Nothing on screen yet: post a notification and count it" {
  on     = "receive",
  -- A message that wakes the app and brings its own alert is shown by the phone; a second copy would be one too many.
  when   = function(msg) return msg.silent or not msg.content_available end,
  decide = show { "banner", "list", "badge", "sound", sound = "default", badge = "+1" },
}
