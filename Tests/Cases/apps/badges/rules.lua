rule "Set at present" {
  on      = { "present", "receive", "open" },
  channel = "set",
  decide  = { badge = 7 },
}

rule "Clear on a tap" {
  on      = "open",
  channel = "clear",
  decide  = { badge = "clear" },
}

rule "One more" {
  on      = { "send", "present", "receive" },
  channel = { "more", "clear", "mute" },
  decide  = { badge = "+1" },
}

rule "Five less" {
  on      = "present",
  channel = "less",
  decide  = { badge = "-5" },
}

rule "Even if hidden" {
  on      = "present",
  channel = "hidden",
  decide  = { badge = { add = 1, even_if_suppressed = true } },
}

rule "Hide" {
  on      = "present",
  channel = { "hidden", "mute" },
  decide  = { display = "suppress" },
}

rule "Later" {
  on      = "present",
  channel = "more",
  tab     = "busy",
  decide  = { display = "defer", hold_until = "1h" },
}

rule "A tap leads to the offers" {
  on     = "open",
  decide = route "shop://offers",
}
