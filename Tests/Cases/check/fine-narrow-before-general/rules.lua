-- Each of these is one step away from a mistake, and none is one.
rule "Chat: a bell" {
  on     = "present",
  tab    = "chat",
  decide = { sound = "bell.caf", display = { "banner" } },
}

rule "Home, at night: nothing" {
  on     = "present",
  tab    = "home",
  quiet  = { "21:00", "08:00" },
  decide = { sound = "none" },
}

rule "Quiet offers" {
  on     = "present",
  when   = function(msg) return msg.data.kind == "offer" end,
  decide = suppress "offers are quiet",
}

rule "The end, for a fifth" {
  on      = "present",
  rollout = 20,
  final   = true,
}

rule "Everything: a chime" {
  on     = "present",
  decide = { sound = "chime.caf", badge = "+1" },
}

rule "Everything, in any case: no sound" {
  on       = "present",
  state    = "inactive",
  override = true,
  decide   = { sound = "none" },
}
