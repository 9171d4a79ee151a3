rule "Offers: quiet" {
  on     = "present",
  when   = function(msg) local isOffer = msg.data.kind == "offer" log(isOffer) end,
  decide = suppress "offers are quiet",
}
