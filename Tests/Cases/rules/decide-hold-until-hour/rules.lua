rule "Later" {
  on     = "present",
  decide = { display = "defer", hold_until = "25:00" },
}
