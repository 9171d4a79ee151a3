rule "Stay quiet" {
  on     = "present",
  decide = suppress "the chat tab is on screen",
}
