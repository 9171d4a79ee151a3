rule "Open: remember" {
  on     = "open",
  decide = function(msg)
    state.last = msg.id
    return { reason = "remembered" }
  end,
}
