rule "Switches: quiet offers" {
  on      = "settings",
  channel = "offers",
  decide  = { labels = { offers = "quiet" } },
}
