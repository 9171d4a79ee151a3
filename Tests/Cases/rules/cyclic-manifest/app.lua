local app = { api = 1, channels = { chat = {} } }
app.channels.chat.title = app
return app
