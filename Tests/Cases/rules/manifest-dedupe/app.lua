return {
  api = 1,
  dedupe = { window = "a month" },
}
