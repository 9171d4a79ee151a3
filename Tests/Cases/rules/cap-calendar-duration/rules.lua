rule "Offers" {
  on     = "send",
  cap    = { 3, per = "12h", window = "calendar" },
  decide = { badge = "+1" },
}
