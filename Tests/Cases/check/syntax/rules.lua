rule "Chat" {
  on = "present"
  decide = suppress "no",
}
