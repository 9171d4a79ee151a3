rule "Stay quiet" {
  on     = "present",
  quiet = { "21:00", "08:00", otherwise = "defer" },
  decide = suppress "the chat tab is on screen",
}
