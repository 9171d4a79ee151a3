rule "Stay quiet" {
  on     = "present",
  decide = { display = "defer", hold_until = "tomorrow" },
}
