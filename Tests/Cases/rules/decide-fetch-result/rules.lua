rule "Stay quiet" {
  on     = "present",
  decide = { fetch_result = "newdata" },
}
