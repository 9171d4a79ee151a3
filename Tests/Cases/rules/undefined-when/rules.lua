local is_vib = function(msg) return msg.data.vip end
rule "Guests: stay quiet" {
  on     = "present",
  when   = is_vip,
  decide = suppress "guests",
}
