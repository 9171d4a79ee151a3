return "api = 1"
