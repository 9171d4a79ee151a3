rule "Offers: not at night" {
  on     = "send",
  quiet  = { "21:00", "08:00", days = {} },
  decide = { badge = "+1" },
}
