rule "Offers" {
  on     = "send",
  holdout = { salt = "x" },
  decide = { badge = "+1" },
}
