rule "Stay quiet" {
  on = {},
  decide = suppress "the chat tab is on screen",
}
