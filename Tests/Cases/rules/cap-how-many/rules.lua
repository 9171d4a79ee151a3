rule "Offers" {
  on     = "send",
  cap    = { per = "day" },
  decide = { badge = "+1" },
}
