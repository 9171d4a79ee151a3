return {
  api = 2,
}
