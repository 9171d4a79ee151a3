return { api = 1, links = { schemes = { "shop" } } }
