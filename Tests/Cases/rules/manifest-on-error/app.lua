return {
  api = 1,
  on_error = "hide",
}
