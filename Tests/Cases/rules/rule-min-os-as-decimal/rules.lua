rule "Stay quiet" {
  on     = "present",
  min_os = 17.10,
  decide = suppress "the chat tab is on screen",
}
