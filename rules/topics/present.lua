-- The app is in front. The notification that the app posted itself comes by here too; it has been counted already.

rule "App in front: show everything" {
  on     = "present",
  decide = show { "banner", "list", "badge", "sound" },
}
