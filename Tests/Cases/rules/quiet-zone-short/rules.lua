rule "Offers: not at night" {
  on     = "send",
  quiet  = { "21:00", "08:00", zone = "KST" },
  decide = { badge = "+1" },
}
