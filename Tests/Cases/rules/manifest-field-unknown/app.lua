return {
  api = 1,
  fields = { titel = { "data.headline" } },
}
