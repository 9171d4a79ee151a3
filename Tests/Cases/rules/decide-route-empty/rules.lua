rule "Stay quiet" {
  on     = "present",
  decide = { route = { mode = "push" } },
}
