rule "Stay quiet" {
  on     = "present",
  decide = { display = "banner" },
}
