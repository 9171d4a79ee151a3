rule "Offers" {
  on     = "send",
  cap    = { 3, window = "calender" },
  decide = { badge = "+1" },
}
