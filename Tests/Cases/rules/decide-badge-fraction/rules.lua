rule "Count a bit" {
  on     = "present",
  decide = { badge = 1.5 },
}
