return {
  titel = "Chat",
}
