rule "Offers" {
  on     = "send",
  rollout = 12.5,
  decide = { badge = "+1" },
}
