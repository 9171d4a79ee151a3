rule "Offers: quiet" {
  on      = "present",
  channel = "offers",
  decide  = suppress "offers are quiet",
}
