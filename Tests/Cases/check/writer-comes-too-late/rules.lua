rule "Everything: a bell" {
  on     = "present",
  decide = { sound = "bell.caf" },
}

rule "Home: a chime" {
  on = "present", tab = "home",
  decide = { body = "Hi",   sound = "chime.caf" },
}
