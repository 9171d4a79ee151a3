rule "Count" {
  on     = "receive",
  decide = { badge = +1 },
}
