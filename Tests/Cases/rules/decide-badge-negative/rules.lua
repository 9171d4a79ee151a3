rule "Stay quiet" {
  on     = "present",
  decide = { badge = -1 },
}
