rule "Offers: not at night" {
  on     = "send",
  quiet  = {},
  decide = { badge = "+1" },
}
