rule "Offers: not at night" {
  on     = "send",
  starts = "24.12.2026",
  decide = { badge = "+1" },
}
