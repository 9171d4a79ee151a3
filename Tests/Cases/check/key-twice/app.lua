return { api = 1, tabs = { "home", "chat" } }
