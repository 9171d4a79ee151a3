rule "Tap: home" {
  on     = "open",
  decide = { route = { tab = "hme" } },
}
