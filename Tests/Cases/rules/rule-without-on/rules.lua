rule "Stay quiet" {
  decide = suppress "the chat tab is on screen",
}
