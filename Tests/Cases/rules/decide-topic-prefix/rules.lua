rule "Join" {
  on     = "present",
  decide = { topics = { unsubscribe = { "/topics/news" } } },
}
