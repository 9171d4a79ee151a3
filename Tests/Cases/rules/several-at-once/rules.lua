rule "First" {
  chanel = "chat",
  decide = { display = { "baner" } },
}
