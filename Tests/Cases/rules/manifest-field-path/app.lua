return {
  api = 1,
  fields = { title = { "data..headline" } },
}
