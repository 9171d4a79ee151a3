rule "Stay quiet" {
  on     = "present",
}
