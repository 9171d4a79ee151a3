rule "Chat" {
  on = "present",
  channel = 7,
  decide = suppress "no",
}
