rule "Behind: quiet" {
  on     = "present",
  state  = { "background", "not_running" },
  decide = suppress "the app is behind",
}
