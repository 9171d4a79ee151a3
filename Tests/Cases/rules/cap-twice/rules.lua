rule "Offers" {
  on     = "send",
  cap    = { 3, n = 4 },
  decide = { badge = "+1" },
}
