rule "Offers off: leave" {
  on     = "settings",
  when   = function() return not settings.get("offer") end,
  decide = { topics = { unsubscribe = { "offers" } } },
}
