return { api = "1" }
