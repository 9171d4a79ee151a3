rule "Chat: quiet" {
  on     = "open",
  decide = function(msg)
    do return nil end
    return { labels = { id = msg.id } }
  end,
}
