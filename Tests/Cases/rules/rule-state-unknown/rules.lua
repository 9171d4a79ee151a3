rule "Stay quiet" {
  on     = "present",
  state = { "inactive", "backgroud" },
  decide = suppress "the chat tab is on screen",
}
