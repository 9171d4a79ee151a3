rule "Stay quiet" {
  on     = "present",
  chanel = "chat",
  decide = suppress "the chat tab is on screen",
}
