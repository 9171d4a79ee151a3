rule "Offers" {
  on     = "send",
  cap    = { 3, per = "days" },
  decide = { badge = "+1" },
}
