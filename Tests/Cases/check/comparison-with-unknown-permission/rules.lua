rule "Never asked: ask" {
  on     = "resume",
  when   = function(msg, device) return device.permission == "undecided" end,
  decide = { labels = { ask = "yes" } },
}
