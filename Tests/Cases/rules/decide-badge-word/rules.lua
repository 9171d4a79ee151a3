rule "Stay quiet" {
  on     = "present",
  decide = { badge = "one more" },
}
