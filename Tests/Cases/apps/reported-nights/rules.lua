rule "All: what happened is remembered, quiet or not" {
  on     = "present",
  channel = { "sleep", "later" },
  decide = function()
    state.incr("seen")
    return { labels = { seen = "yes" } }
  end,
}

rule "UTC: not from one in the afternoon, by the clock of UTC" { on = "present", channel = "utc", quiet = { "13:00", "24:00", zone = "UTC" } }
rule "Wrap: from late morning until early morning" { on = "present", channel = "wrap", quiet = { "11:35", "05:25" } }
rule "Wrap: not at breakfast" { on = "present", channel = "wrap", quiet = { "07:30", "08:30" } }
rule "Evening: not in New York's evening" { on = "present", channel = "evening", quiet = { "19:00", "23:00", zone = "America/New_York" } }
rule "Night: not from half past eleven" { on = "present", channel = "night", quiet = { "23:30", "06:30" } }
rule "Sleep: not at night" { on = "present", channel = { "sleep", "alarm" }, quiet = { "21:00", "08:00" } }
rule "Later: in the morning" { on = "present", channel = "later", quiet = { "21:00", "08:00", otherwise = "defer" } }
rule "Softly: into the list at night" { on = "present", channel = "softly", quiet = { "21:00", "08:00", otherwise = "list" } }
rule "Hour: not from two to three" { on = "present", channel = "hour", quiet = { "02:00", "03:00" } }

rule "Both: awake" { on = "present", channel = "both", decide = show {} }
rule "Both: asleep" { on = "present", channel = "both", quiet = { "21:00", "08:00" } }
rule "Held: in an hour" { on = "present", channel = "held", decide = defer "1h" }
rule "Held: asleep" { on = "present", channel = "held", quiet = { "21:00", "08:00" } }

rule "Silently: banner and list, no sound" { on = "present", channel = "silently", decide = show { "banner", "list" } }

rule "Month: not on its last day" {
  on      = "present",
  channel = "month",
  when    = function() return time.start_of("month", time.add(time.now, "1d")) > time.start_of("month") end,
  decide  = suppress "the books are being closed",
}
