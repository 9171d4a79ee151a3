rule "Offers" {
  on     = "send",
  cap    = { 3, pre = "day" },
  decide = { badge = "+1" },
}
