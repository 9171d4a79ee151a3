rule "Cart: stay quiet" {
  on     = "present", tab = cart,
  decide = suppress "the cart is on screen",
}
