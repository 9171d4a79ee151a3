rule "Stay quiet" {
  on     = "present",
  decide = { route = { tab = "chat", mode = "pop" } },
}
