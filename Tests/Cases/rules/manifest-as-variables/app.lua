api = 1
