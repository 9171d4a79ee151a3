rule "Later" {
  on     = "present",
  decide = defer("-2h", "why"),
}
