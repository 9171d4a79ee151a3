return {
  api = 1,
  chanels = { chat = { title = "Chat" } },
}
