rule "Offers" {
  on     = "send",
  rollout = { 20, slat = "x" },
  decide = { badge = "+1" },
}
