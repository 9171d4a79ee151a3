rule "Night: quiet" {
  on     = "present",
  when   = function() return time.between("25:00", "07:00") end,
  decide = suppress "it is night",
}
