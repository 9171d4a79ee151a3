-- One message, and several times that it is handed over. `cases/` names the public reports that each example is about.
return {
  api    = 1,
  title  = "Repeats",
  fields = { body = { "text" } },
}
