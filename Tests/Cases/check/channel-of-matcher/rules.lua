rule "Offers: quiet" {
  on      = "present",
  channel = { "orders", "ofers" },
  decide  = suppress "offers are quiet",
}
