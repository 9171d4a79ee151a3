return {
  api = 1,
  limits = { memory = 1000000 },
}
