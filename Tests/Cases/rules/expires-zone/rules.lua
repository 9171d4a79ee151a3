rule "Offers: not at night" {
  on     = "send",
  expires = { "2026-12-24", zone = "Mars/Olympus" },
  decide = { badge = "+1" },
}
