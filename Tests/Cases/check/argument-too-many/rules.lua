rule "A fifth of all" {
  on     = "present",
  when   = function() return bucket("wording", 20) < 20 end,
  decide = { title = "Only today" },
}
