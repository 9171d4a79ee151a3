rule "Offers: a bell" {
  on       = "present",
  category = "OFFER",
  decide   = { sound = "bell.caf" },
}

rule "Home: a chime" {
  on     = "present",
  tab    = "home",
  decide = { sound = "chime.caf" },
}
