rule "Offers: never at night" {
  on    = "send",
  quiet = { "21:00", "21:00" },
}
