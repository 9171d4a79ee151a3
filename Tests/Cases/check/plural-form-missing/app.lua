return { api = 1, locale = "pl" }
