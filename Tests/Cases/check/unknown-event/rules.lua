rule "Chat" {
  on = "presnt",
  decide = suppress "no",
}
