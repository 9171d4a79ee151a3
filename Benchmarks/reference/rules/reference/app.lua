-- The app of the reference job: one channel, which people may switch off, and one rule. The engines it is measured
-- against look for no second copies, so it does not either.
return {
  api = 1,
  title = "Reference job",
  tabs = { "home", "chat" },
  guards = { duplicate = false },
  channels = { chat = { title = "Chat", default = true } },
}
