rule "Join" {
  on     = "present",
  decide = { topics = { { op = "join", topic = "news" } } },
}
