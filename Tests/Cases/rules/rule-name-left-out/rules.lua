rule {
  on     = "present",
  decide = suppress "quiet",
}
