count = 0
rule "Stay quiet" {
  on     = "present",
  decide = suppress "the chat tab is on screen",
}
