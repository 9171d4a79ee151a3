rule "Language: leave the old one, join the new one" {
  on      = "present",
  channel = "language",
  decide  = { topics = { { op = "unsubscribe", topic = "lang-ku" }, { op = "subscribe", topic = "lang-en" } } },
}

rule "Language, joined first" {
  on      = "present",
  channel = "language, joined first",
  decide  = { topics = { { op = "subscribe", topic = "lang-en" }, { op = "unsubscribe", topic = "lang-ku" } } },
}

rule "By lists: what is left comes first" {
  on      = "present",
  channel = "by lists",
  decide  = { topics = { subscribe = { "lang-en" }, unsubscribe = { "lang-ku" } } },
}

rule "Again: leave it and join it" {
  on      = "present",
  channel = "again",
  decide  = { topics = { { op = "unsubscribe", topic = "news" }, { op = "subscribe", topic = "news" } } },
}
