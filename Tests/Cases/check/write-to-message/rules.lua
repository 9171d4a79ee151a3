rule "Open: a shorter title" {
  on     = "open",
  decide = function(msg)
    msg.title = "Hi"
    return { reason = "shorter" }
  end,
}
