rule "Offers" {
  on     = "send",
  rollout = "20%",
  decide = { badge = "+1" },
}
