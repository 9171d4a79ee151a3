rule "Tap: join" {
  on     = "open",
  decide = { topics = { subscribe = { "user-7", "nwes" } } },
}
