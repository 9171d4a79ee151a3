rule "Offers: count them quietly" {
  on     = "present",
  decide = { display = "suppress", badge = "+1" },
}
