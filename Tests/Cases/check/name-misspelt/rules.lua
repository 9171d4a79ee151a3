rule "Offers: quiet when seen" {
  on     = "open",
  decide = function(msg, device)
    if devise.tap then return nil end
    return suppress "seen"
  end,
}
