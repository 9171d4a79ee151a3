rule "Stay quiet" {
  on     = "present",
  decide = { labels = { step = 3 } },
}
