rule "Tap: remember" {
  on     = "open",
  decide = function(msg)
    state.set("last_room", msg.data.room)
    return { labels = { remembered = "yes" } }
  end,
}
