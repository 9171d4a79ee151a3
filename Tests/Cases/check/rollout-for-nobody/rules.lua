rule "New wording" {
  on      = "present",
  rollout = 0,
  decide  = { title = "Only today" },
}
