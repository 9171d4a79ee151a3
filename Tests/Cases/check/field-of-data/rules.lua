rule "Orders: quiet" {
  on     = "present",
  when   = function(msg) return msg.order_number ~= nil end,
  decide = suppress "orders are quiet",
}
