return {
  api = 1,
  topics = { "news for {user}" },
}
