return { api = 1, title = "What was fetched" }
