rule "Offers: not at night" {
  on     = "send",
  quiet  = { "21:00", "08:00", "mon" },
  decide = { badge = "+1" },
}
