rule "Urgent: show" {
  on     = "present",
  when   = function(msg) return msg.category == "A" and msg.category == "B" end,
  decide = show(),
}
