rule "Offers" {
  on     = "send",
  cap    = { n = -3, per = "day" },
  decide = { badge = "+1" },
}
