rule "Offers: not at night" {
  on     = "send",
  starts = 20261224,
  decide = { badge = "+1" },
}
