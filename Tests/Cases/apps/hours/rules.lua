rule "Offers: never at night" {
  on      = { "send", "present" },
  channel = { "offers", "alarm" },
  quiet   = { "22:00", "07:00", otherwise = "defer" },
  decide  = { labels = { time = "day" } },
}

rule "Nap: into the list after one at night" {
  on      = "present",
  channel = "nap",
  quiet   = { "01:00", "02:30", otherwise = "list" },
}

rule "Weekend: not at all" {
  on      = "present",
  channel = "weekend",
  quiet   = { "00:00", "24:00", days = { "sat", "sun" }, otherwise = "defer" },
}

rule "Early: only in December" {
  on      = "present",
  channel = "early",
  starts  = "2026-12-01",
  expires = "2026-12-24",
  decide  = { display = { "list" } },
}
