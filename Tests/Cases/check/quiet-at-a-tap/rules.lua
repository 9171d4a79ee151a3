rule "Tap: quiet hours" {
  on     = "open",
  quiet  = { "21:00", "08:00" },
  decide = { route = false },
}
