rule "Offers" {
  on     = "send",
  rollout = { 20, salt = 7 },
  decide = { badge = "+1" },
}
