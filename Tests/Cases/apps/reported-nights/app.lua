-- Hours in which it is quiet. `cases/` names the public reports that each example is about.
return {
  api      = 1,
  title    = "Nights",
  timezone = "UTC",
  channels = { alarm = { critical = true } },
}
