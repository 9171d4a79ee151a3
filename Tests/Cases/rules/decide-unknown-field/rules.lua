rule "Stay quiet" {
  on     = "present",
  decide = { dispaly = { "banner" } },
}
