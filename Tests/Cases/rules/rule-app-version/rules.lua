rule "Stay quiet" {
  on     = "present",
  app_version = "3.x",
  decide = suppress "the chat tab is on screen",
}
