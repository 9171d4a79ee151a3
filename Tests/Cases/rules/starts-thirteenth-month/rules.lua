rule "Sale" {
  on     = "send",
  starts = "2026-13-01",
  decide = { badge = "+1" },
}
