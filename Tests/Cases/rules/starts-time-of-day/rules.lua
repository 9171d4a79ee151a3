rule "Offers: not at night" {
  on     = "send",
  starts = "08:00",
  decide = { badge = "+1" },
}
