rule "Stay quiet" {
  on     = "present",
  priority = "high",
  decide = suppress "the chat tab is on screen",
}
