return { api = 1, title = os.date() }
