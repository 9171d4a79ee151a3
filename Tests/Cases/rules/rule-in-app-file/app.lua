rule "Stay quiet" {
  on     = "present",
  decide = suppress "the chat tab is on screen",
}
return { api = 1 }
