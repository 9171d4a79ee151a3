return {
  api = 1,
  channels = {
    chat = { title = "Chat", default = "false" },
  },
}
