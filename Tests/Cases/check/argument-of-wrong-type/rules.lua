rule "Open: remember" {
  on     = "open",
  decide = function(msg)
    state.set(7, msg.id)
    return { labels = { last = state.get("7") } }
  end,
}
