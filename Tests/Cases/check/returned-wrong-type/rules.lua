rule "Count" {
  on     = "open",
  decide = function(msg)
    return { inbox = { id = msg.id },    title = 7 }
  end,
}
