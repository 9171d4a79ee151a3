rule "Tap: chat" {
  on     = "open",
  tab    = "home",
  decide = route { tab = "chat" },
}

rule "Tap: home" {
  on       = "open",
  override = true,
  decide   = route { tab = "home" },
}
