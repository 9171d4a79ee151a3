rule "Offers: not at night" {
  on     = "send",
  expires = { "2026-12-24", tz = "Asia/Seoul" },
  decide = { badge = "+1" },
}
