rule "Stay quiet" {
  on     = "present",
  channel = 7,
  decide = suppress "the chat tab is on screen",
}
