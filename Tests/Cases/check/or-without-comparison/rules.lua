rule "Two channels: quiet" {
  on     = "present",
  when   = function(msg) return msg.channel == "offers" or "orders" end,
  decide = suppress "quiet",
}
