return { api = 1, links = { schemes = { "shop", "https" }, hosts = { "shop.example" } } }
