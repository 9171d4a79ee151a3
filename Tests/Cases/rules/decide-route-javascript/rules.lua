rule "Tap: run something" {
  on     = "open",
  decide = { route = "javascript:alert(1)" },
}
