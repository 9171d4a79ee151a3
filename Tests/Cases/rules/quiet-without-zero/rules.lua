rule "Offers: not at night" {
  on     = "send",
  quiet  = { "21:00", to = "8:00" },
  decide = { badge = "+1" },
}
