rule "Open: remember" {
  on     = "open",
  decide = function(msg)
    state.set("last", msg.id, { tll = "7d" })
    return { labels = { last = state.get("last") } }
  end,
}
