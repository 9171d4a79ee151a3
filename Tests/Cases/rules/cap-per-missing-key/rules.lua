rule "Offers" {
  on     = "send",
  cap    = { 3, "day" },
  decide = { badge = "+1" },
}
