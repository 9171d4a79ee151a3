rule "Korean: a bell" {
  on     = "present",
  locale = "korean",
  decide = { sound = "bell.caf" },
}
