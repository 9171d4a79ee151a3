rule "Stay quiet" {
  on     = "present",
  decide = { display = { "list", "baner" } },
}
