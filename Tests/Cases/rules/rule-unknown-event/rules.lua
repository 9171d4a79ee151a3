rule "Stay quiet" {
  on = "presented",
  decide = suppress "the chat tab is on screen",
}
