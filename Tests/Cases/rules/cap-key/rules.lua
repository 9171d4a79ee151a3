rule "Offers" {
  on     = "send",
  cap    = { 3, key = 7 },
  decide = { badge = "+1" },
}
