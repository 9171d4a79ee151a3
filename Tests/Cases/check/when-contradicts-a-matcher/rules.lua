rule "Chat: quiet" {
  on       = "present",
  category = "INVITE",
  when     = function(msg) return msg.category == "CHAT" and msg.badge ~= nil end,
  decide   = suppress "it is on screen",
}
