-- A message comes while the person is using the app. The label is what the app writes into its log.

rule "App in front: banner, list and sound, no number" {
  on     = "present",
  decide = function(msg) return show { "banner", "list", "sound", labels = { message_id = msg.id } } end,
}
