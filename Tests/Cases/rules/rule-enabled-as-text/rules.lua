rule "Stay quiet" {
  on     = "present",
  enabled = "false",
  decide = suppress "the chat tab is on screen",
}
