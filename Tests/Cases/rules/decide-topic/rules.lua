rule "Stay quiet" {
  on     = "present",
  decide = { topics = { subscribe = { "big news" } } },
}
