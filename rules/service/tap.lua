-- The person taps a notification. The label `message_id` is what the app writes into its log; the message itself is handed
-- over at once when the app is in front (`payload = "now"`), else it is kept until the app is ready.

rule "Tap in front: into the log, and handed over at once" {
  on     = "open",
  state  = "foreground",
  decide = function(msg) return { labels = { message_id = msg.id, payload = "now" } } end,
}

rule "Tap: into the log, and handed over when the app is ready" {
  on     = "open",
  state  = { "inactive", "background", "terminated", "force_quit" },
  decide = function(msg) return { labels = { message_id = msg.id }, inbox = msg.data } end,
}
