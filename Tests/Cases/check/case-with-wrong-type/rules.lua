rule "Chat: quiet" {
  on     = "present",
  tab    = "chat",
  decide = suppress "it is on screen",
}
