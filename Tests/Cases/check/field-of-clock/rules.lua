rule "Morning: quiet" {
  on     = "present",
  when   = function() return (time.wall.hours or 0) < 8 end,
  decide = suppress "too early",
}
