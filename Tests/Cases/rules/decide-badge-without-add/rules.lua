rule "Stay quiet" {
  on     = "present",
  decide = { badge = { even_if_suppressed = true } },
}
