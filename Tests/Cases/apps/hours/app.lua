return {
  api      = 1,
  title    = "Hours",
  timezone = "Europe/Berlin",
  channels = { offers = {}, nap = {}, weekend = {}, early = {}, alarm = { critical = true } },
}
