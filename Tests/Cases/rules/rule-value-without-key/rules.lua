rule "Stay quiet" {
  on     = "present",
  "for the chat",
  decide = suppress "the chat tab is on screen",
}
