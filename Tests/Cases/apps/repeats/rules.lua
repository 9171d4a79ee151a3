rule "Count" {
  on     = "present",
  decide = { badge = "+1" },
}
