rule "Stay quiet" {
  on     = "present",
  when   = true,
  decide = suppress "the chat tab is on screen",
}
