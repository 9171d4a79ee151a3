rule "Offers: not at night" {
  on     = "send",
  starts = "2026-12-24", expires = "2026-12-23",
  decide = { badge = "+1" },
}
