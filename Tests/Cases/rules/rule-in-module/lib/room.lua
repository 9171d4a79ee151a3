local room = {}
rule "Stay quiet" {
  on     = "present",
  decide = suppress "the chat tab is on screen",
}
return room
