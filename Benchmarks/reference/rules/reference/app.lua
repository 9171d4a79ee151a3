-- The app of the reference job: one channel, which people may switch off, and one rule.
return {
  api = 1,
  title = "Reference job",
  tabs = { "home", "chat" },
  channels = { chat = { title = "Chat", default = true } },
}
