rule "Tap: one less" {
  on     = "open",
  decide = { badge = "-1" },
}
