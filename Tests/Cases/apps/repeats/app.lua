return {
  api    = 1,
  guards = { duplicate = "warn" },
  dedupe = { window = "1h", content_window = "1m" },
}
