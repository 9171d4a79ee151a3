rule "New day" {
  on     = "open",
  when   = function() return time.now - time.start_of("dya") < 3600000 end,
  decide = { reason = "good morning" },
}
