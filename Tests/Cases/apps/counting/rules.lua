-- One rule for each way of counting, told apart by the message's channel.

rule "Offers: three a day" {
  on      = { "send", "enrich", "present", "receive", "due" },
  channel = "offers",
  cap     = { 3, per = "day" },
}

rule "News: two a calendar day" {
  on      = { "send", "present" },
  channel = "news",
  cap     = { 2, per = "day", window = "calendar" },
}

rule "Hints: one an hour, the rest later" {
  on      = { "send", "present", "due" },
  channel = "hints",
  cap     = { n = 1, per = "hour", otherwise = "defer" },
}

rule "Likes: two in ten minutes, the rest quietly" {
  on      = { "send", "present" },
  channel = "likes",
  cap     = { 2, per = "10m", otherwise = "list" },
  decide  = { display = "show" },
}

rule "Sale by mail" {
  on      = "send",
  channel = "sale-mail",
  cap     = { 1, per = "week", key = "sale" },
}

rule "Sale by app" {
  on      = "send",
  channel = "sale-app",
  cap     = { 2, per = "week", key = "sale" },
}

rule "Rooms: one a minute each" {
  on      = "present",
  channel = "room",
  cap     = { 1, per = "minute", key = function(msg) return msg.data.room end },
}

rule "Week: one a calendar week" {
  on      = "send",
  channel = "week",
  cap     = { 1, per = "week", window = "calendar" },
}

rule "Night list: listed at night, two a day" {
  on      = "send",
  channel = "night",
  quiet   = { "22:00", "06:00", otherwise = "list" },
  cap     = { 2, per = "day" },
}

rule "Held: not shown, not counted" {
  on      = "present",
  channel = "offers",
  tab     = "offers",
  decide  = suppress "the offers are on screen",
}

rule "A fifth of all people" {
  on      = "send",
  channel = "fifth",
  rollout = { 20, salt = "the same salt" },
  decide  = { title = "in" },
}

rule "All but that fifth" {
  on      = "send",
  channel = "fifth",
  holdout = { 20, salt = "the same salt" },
  decide  = { title = "out" },
}

rule "Everybody" {
  on      = "send",
  channel = "all",
  rollout = 100,
  decide  = { title = "in" },
}

rule "Nobody" {
  on      = "send",
  channel = "all",
  rollout = 0,
  decide  = { subtitle = "in" },
}
