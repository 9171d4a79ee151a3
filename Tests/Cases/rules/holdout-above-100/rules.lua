rule "Offers" {
  on     = "send",
  holdout = { percent = 101 },
  decide = { badge = "+1" },
}
