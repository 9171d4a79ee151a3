return {
  api = 1,
  channels = { chat = { defualt = false } },
}
