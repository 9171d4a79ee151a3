-- The person taps a notification. The label `message_id` is what the app writes into its log.

rule "The app is running: it takes the message at once" {
  on     = "open",
  state  = { "foreground", "inactive", "background" },
  decide = function(msg) return { labels = { message_id = msg.id, payload = "now" } } end,
}

rule "The tap starts the app: the message waits until it is ready" {
  on     = "open",
  state  = { "terminated", "force_quit" },
  decide = function(msg) return { labels = { message_id = msg.id }, inbox = msg.data } end,
}
