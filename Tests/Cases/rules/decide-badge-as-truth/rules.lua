rule "Stay quiet" {
  on     = "present",
  decide = { badge = true },
}
