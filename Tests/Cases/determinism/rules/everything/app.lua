-- An app that uses everything that could come out differently: order of tables, state, percentages, hours, counts.
return {
  api      = 1,
  title    = "Everything",
  timezone = "Europe/Berlin",
  tabs     = { "home", "chat" },
  channels = { chat = {}, offers = {}, news = {}, alarm = { critical = true }, letters = { default = false } },
  fields   = { title = { "headline", "json:data.extra|title" }, account = { "account" } },
  links    = { schemes = { "shop", "https" }, hosts = { "*.example.com" }, fallback = "shop://home" },
  topics   = { "person%{recipient}" },
}
