rule "Offers: later" {
  on     = "send",
  decide = { display = { "list" }, pin = true },
}
