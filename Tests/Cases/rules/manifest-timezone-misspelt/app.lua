return {
  api = 1,
  timezone = "Asia/Soul",
}
