rule "Christmas: a bell" {
  on      = "send",
  expires = "2025-12-26",
  decide  = { sound = "bell.caf" },
}
