return { api = 1, locale = "en" }
