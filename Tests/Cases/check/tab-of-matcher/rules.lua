rule "Cart: quiet" {
  on     = "present",
  tab    = "chatt",
  decide = suppress "it is on screen",
}
