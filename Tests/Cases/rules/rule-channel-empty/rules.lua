rule "Stay quiet" {
  on     = "present",
  channel = {},
  decide = suppress "the chat tab is on screen",
}
