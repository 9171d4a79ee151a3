local app = { api = 1, title = "Chat" }
