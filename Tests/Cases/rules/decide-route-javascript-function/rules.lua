rule "Tap: run something" {
  on     = "open",
  decide = route "JavaScript:alert(1)",
}
