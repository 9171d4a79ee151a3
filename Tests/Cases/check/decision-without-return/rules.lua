rule "Offers: quiet" {
  on     = "present",
  decide = function(msg)
    if msg.data.kind == "offer" then suppress "offers are quiet" end
  end,
}
