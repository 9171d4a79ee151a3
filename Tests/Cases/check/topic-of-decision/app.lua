return { api = 1, topics = { "news", "user-{recipient}" } }
