rule "Offers" {
  on     = "send",
  rollout = -1,
  decide = { badge = "+1" },
}
