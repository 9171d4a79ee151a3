return {
  api = 1,
}
