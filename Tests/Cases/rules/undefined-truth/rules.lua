rule "Cart: stay quiet" {
  on      = "present",
  enabled = False,
  decide  = suppress "the cart is on screen",
}
