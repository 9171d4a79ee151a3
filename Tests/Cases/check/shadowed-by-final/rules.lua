rule "Everything: the end" {
  on    = "present",
  final = true,
}

rule "Chat: quiet" {
  on     = "present",
  tab    = "chat",
  decide = suppress "it is on screen",
}
