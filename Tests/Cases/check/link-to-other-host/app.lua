return { api = 1, links = { hosts = { "*.example.com" } } }
