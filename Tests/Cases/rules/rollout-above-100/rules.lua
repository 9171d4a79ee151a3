rule "Offers" {
  on     = "send",
  rollout = 130,
  decide = { badge = "+1" },
}
