rule "Offers: quiet" {
  on     = "present",
  when   = function() return false end,
  decide = suppress "offers are quiet",
}
