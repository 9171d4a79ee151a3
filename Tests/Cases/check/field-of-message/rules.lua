rule "Nameless: quiet" {
  on     = "present",
  when   = function(msg) return msg.titel == nil end,
  decide = suppress "there is no title",
}
