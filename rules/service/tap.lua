-- The person taps a notification. The label is what the app writes into its log; the message itself is handed over at once
-- when the app is in front, else when it is ready.

rule "Tap: into the log, and handed over" {
  on     = "open",
  decide = function(msg) return { labels = { message_id = msg.id }, inbox = msg.data } end,
}
