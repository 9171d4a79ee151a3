rule "Offers: not at night" {
  on     = "send",
  quiet  = { "21:00", "08:00", otherwise = "defr" },
  decide = { badge = "+1" },
}
