rule "Stay quiet" {
  on     = "present",
  silent = 1,
  decide = suppress "the chat tab is on screen",
}
