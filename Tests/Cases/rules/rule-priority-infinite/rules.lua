rule "Chat" {
  on       = "present",
  priority = math.huge,
  decide   = suppress "never",
}
