rule "Join" {
  on     = "present",
  decide = { topics = { subscribe = { "" } } },
}
