rule "Tap: read something" {
  on     = "open",
  decide = route { tab = "home", url = "file:///etc/passwd" },
}
