rule "Offers" {
  on     = "send",
  quiet  = { "21:60", "08:00" },
}
