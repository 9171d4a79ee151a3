rule "Offers: not at night" {
  on     = "send",
  cap = { 3, per = "day" },
  decide = { badge = "+1" },
}
