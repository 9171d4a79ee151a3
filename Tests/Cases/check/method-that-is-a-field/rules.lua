rule "Nameless: quiet" {
  on     = "present",
  when   = function(msg) return msg:title() == nil end,
  decide = suppress "there is no title",
}
