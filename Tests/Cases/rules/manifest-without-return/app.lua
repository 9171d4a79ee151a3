{ api = 1 }
