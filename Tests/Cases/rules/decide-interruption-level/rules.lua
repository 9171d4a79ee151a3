rule "Stay quiet" {
  on     = "present",
  decide = { interruption_level = "time_sensitive" },
}
