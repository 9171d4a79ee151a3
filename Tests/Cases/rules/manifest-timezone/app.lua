return {
  api = 1,
  timezone = "Seoul time",
}
