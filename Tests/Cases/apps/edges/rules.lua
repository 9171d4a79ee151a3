-- One rule for each edge, told apart by the message's channel.

rule "No sound" {
  on      = { "send", "present" },
  channel = "no-sound",
  decide  = { sound = "none" },
}

rule "A bell" {
  on      = { "send", "present" },
  channel = "bell",
  decide  = { sound = "bell.caf" },
}

rule "Everything, and no sound" {
  on      = "send",
  channel = "all-but-sound",
  decide  = { display = "show", sound = "none" },
}

rule "Carrier: shown at any time" {
  on      = { "receive", "due" },
  channel = "at-once",
  decide  = show { "banner" },
}

rule "Carrier: never" {
  on      = "receive",
  channel = "never",
  decide  = suppress "not this one",
}

rule "Again and again" {
  on      = "send",
  channel = "again",
  when    = function(msg) return true end,
  decide  = defer("1h", "not now"),
}

rule "Two at most" {
  on      = "send",
  channel = "capped",
  cap     = { 2, per = "hour" },
}

rule "None" {
  on      = "send",
  channel = "later",
  decide  = defer("1h", "not now"),
}

rule "Keep it" {
  on      = { "receive", "open" },
  channel = "kept",
  decide  = function(msg) return { inbox = { n = msg.data.n } } end,
}

rule "Tap: to the basket" {
  on      = "open",
  channel = { "basket", "kept" },
  decide  = route { tab = "shop", path = { "basket" } },
}

rule "What is there without a message" {
  on     = "settings",
  decide = function(msg)
    return {
      labels = {
        data = type(msg.data), room = tostring(msg.data.room), raw = type(msg.raw), deep = tostring(msg.raw.aps),
        title = tostring(msg.title), id = tostring(msg.id), sound = tostring(msg.sound), silent = tostring(msg.silent),
      },
    }
  end,
}

rule "Not silent" {
  on     = { "token", "send" },
  silent = false,
  decide = { labels = { matched = "not silent" } },
}

rule "Silent" {
  on     = { "token", "send" },
  silent = true,
  decide = { labels = { matched = "silent" } },
}
