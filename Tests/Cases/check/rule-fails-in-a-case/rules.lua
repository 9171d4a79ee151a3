rule "Promo: greet" {
  on     = "present",
  decide = function(msg)
    return { title = "Hi " .. msg.data.name }
  end,
}
