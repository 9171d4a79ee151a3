local arrival = { "receive", "present" }

rule "More: one more on the icon" { on = arrival, channel = "more", decide = { badge = "+1" } }
rule "Less: five less" { on = arrival, channel = "less", decide = { badge = "-5" } }
rule "One: the icon says 1" { on = arrival, channel = "one", decide = { badge = 1 } }
rule "Held: not shown" { on = arrival, channel = "held", decide = { display = "suppress", badge = "+1" } }

rule "Held, counted: not shown, and counted all the same" {
  on      = arrival,
  channel = "held, counted",
  decide  = { display = "suppress", badge = { add = 1, even_if_suppressed = true } },
}

rule "Mixed up: a text where a number was" {
  on      = arrival,
  channel = "mixed up",
  decide  = function(msg, device) state.set("appPush", "APPPUSH%" .. device.recipient) end,
}

rule "Named: a name of its own for the topic" {
  on      = arrival,
  channel = "named",
  decide  = function(msg, device) state.set("topic", "APPPUSH%" .. device.recipient) end,
}

rule "Renamed: the number is given up for the topic" {
  on      = arrival,
  channel = "renamed",
  decide  = function(msg, device)
    state.delete("appPush")
    state.set("appPush", "APPPUSH%" .. device.recipient)
  end,
}
