rule "Chat: show" {
  on       = "present",
  category = "CHAT",
  decide   = show { "banner" },
}

rule "Everything: quiet" {
  on     = { "present", "send" },
  decide = suppress "quiet",
}
