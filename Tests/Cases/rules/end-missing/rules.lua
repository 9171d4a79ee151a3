rule "Stay quiet" {
  on     = "present",
  when   = function(msg) return msg.silent,
  decide = suppress "no",
}
