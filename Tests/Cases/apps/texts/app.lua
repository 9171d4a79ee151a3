return { api = 1, title = "Texts", locale = "en" }
