return {
  api      = 1,
  title    = "Events",
  timezone = "Europe/Berlin",
  channels = { offers = {}, news = { default = false }, alarm = { critical = true } },
  topics   = { "APPPUSH%{recipient}", "everybody" },
  fields   = { account = { "data.account", "account" } },
}
