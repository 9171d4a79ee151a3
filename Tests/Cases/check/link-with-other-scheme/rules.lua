rule "Tap: to the cart" {
  on     = "open",
  decide = route "shpo://cart",
}
