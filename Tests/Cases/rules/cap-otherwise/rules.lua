rule "Offers" {
  on     = "send",
  cap    = { 3, otherwise = "lst" },
  decide = { badge = "+1" },
}
