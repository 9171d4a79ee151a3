rule "Offers: never" {
  on     = "send",
  quiet  = { "00:00", "24:00" },
  decide = { sound = "bell.caf" },
}
