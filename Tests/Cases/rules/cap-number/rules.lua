rule "Offers" {
  on     = "send",
  cap    = 3,
  decide = { badge = "+1" },
}
