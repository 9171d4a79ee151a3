rule "Offers" {
  on     = "send",
  cap    = { 0, per = "day" },
  decide = { badge = "+1" },
}
