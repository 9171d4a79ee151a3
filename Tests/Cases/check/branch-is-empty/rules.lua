rule "Chat: quiet" {
  on     = "open",
  decide = function(msg)
    if msg.id then end
    return { reason = msg.id }
  end,
}
