rule "Stay quiet" {
  on     = "present",
  decide = { inbox = { call = function() end } },
}
