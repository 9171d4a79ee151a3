rule "Cart: a banner" {
  on     = "present",
  decide = show("banner", "list"),
}
