rule "Many: quiet" {
  on     = "present",
  when   = function(msg) return msg.badge > "3" end,
  decide = suppress "many",
}

rule "Old: quiet" {
  on     = "present",
  when   = function(msg, device) return device.app_version < 3 end,
  decide = suppress "old",
}
