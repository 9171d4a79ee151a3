return {
  api      = 1,
  timezone = "UTC",
}
