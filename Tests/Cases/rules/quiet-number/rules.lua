rule "Offers: not at night" {
  on     = "send",
  quiet  = { 21, 8 },
  decide = { badge = "+1" },
}
