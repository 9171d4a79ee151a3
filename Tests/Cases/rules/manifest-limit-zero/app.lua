return {
  api = 1,
  limits = { fuel = 0 },
}
