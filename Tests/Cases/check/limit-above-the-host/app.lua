return { api = 1, limits = { fuel = 5000000 } }
