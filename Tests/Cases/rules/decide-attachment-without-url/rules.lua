rule "Stay quiet" {
  on     = "present",
  decide = { attachments = { { type = "png" } } },
}
