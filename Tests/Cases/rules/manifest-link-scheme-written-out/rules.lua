rule "Tap" { on = "open", decide = route "shop://a" }
