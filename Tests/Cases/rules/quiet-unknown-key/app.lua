return { api = 1 }
