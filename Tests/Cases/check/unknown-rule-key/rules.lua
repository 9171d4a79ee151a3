rule "Chat" {
  on = "present",
  chanel = "chat",
  decide = suppress "no",
}
