rule "Log the hour" {
  on     = "open",
  decide = function() return { labels = { at = os.date() } } end,
}
