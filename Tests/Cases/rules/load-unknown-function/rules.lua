rule "Stay quiet" {
  on     = "present",
  decide = supress "the chat tab is on screen",
}
