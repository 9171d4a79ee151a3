rule "Chat: quiet" {
  on     = "present",
  when   = function(msg, device) return device:is_showin("chat") end,
  decide = suppress "it is on screen",
}
