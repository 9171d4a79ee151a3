rule "Offers: count" {
  on       = "present",
  category = "OFFER",
  decide   = { badge = "+1" },
}

rule "Everything: quiet" {
  on     = "present",
  decide = suppress "quiet",
}
