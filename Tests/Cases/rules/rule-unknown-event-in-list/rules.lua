rule "Stay quiet" {
  on = { "present", "opened" },
  decide = suppress "the chat tab is on screen",
}
