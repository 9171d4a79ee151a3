rule "Count for ever" {
  on     = "present",
  decide = { badge = 5000000000 },
}
