return {
  title = "Chat",
}
