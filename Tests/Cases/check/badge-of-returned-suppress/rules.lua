rule "Offers: count them quietly" {
  on     = "present",
  decide = function(msg)
    return { display = "suppress", badge = { add = 2 }, reason = msg.title }
  end,
}
