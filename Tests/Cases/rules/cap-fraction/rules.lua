rule "Offers" {
  on     = "send",
  cap    = { 2.5, per = "day" },
  decide = { badge = "+1" },
}
