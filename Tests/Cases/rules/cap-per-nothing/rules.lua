rule "Offers" {
  on     = "send",
  cap    = { 3, per = 0 },
  decide = { badge = "+1" },
}
