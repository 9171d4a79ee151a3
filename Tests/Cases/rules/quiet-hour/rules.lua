rule "Offers: not at night" {
  on     = "send",
  quiet  = { "21:00", "25:00" },
  decide = { badge = "+1" },
}
