rule "Chat: quiet" {
  on     = "present",
  tab    = "chat",
  decide = suppress "it is on screen",
}

rule "Tap: to the chat" {
  on     = "open",
  decide = route { tab = "chat" },
}
