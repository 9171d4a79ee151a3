rule "Three: quiet" {
  on     = "present",
  when   = function(msg) return msg.badge == "3" end,
  decide = suppress "three are enough",
}
