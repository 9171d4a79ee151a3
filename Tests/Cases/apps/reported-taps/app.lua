-- Where a tap leads, and what is none. `cases/` names the public reports that each example is about.
return {
  api    = 1,
  title  = "Taps",
  tabs   = { "home", "chat" },
  fields = { account = { "account", "data.account" } },
  links  = { schemes = { "shop", "https" }, hosts = { "shop.example.com" }, fallback = "shop://home" },
}
