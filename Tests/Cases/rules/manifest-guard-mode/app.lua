return {
  api = 1,
  guards = { expired = "of" },
}
