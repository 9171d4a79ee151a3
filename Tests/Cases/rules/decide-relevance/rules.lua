rule "Stay quiet" {
  on     = "present",
  decide = { relevance = 7 },
}
