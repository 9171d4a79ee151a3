rule "Offers: not at night" {
  on     = "send",
  starts = "2026-02-29",
  decide = { badge = "+1" },
}
