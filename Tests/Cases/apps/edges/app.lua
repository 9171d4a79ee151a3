return {
  api      = 1,
  title    = "Edges",
  timezone = "Europe/Berlin",
  topics   = { "APPPUSH%{recipient}" },
}
