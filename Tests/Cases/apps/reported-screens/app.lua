-- A message about what is on the screen already. `cases/` names the public reports that each example is about.
return { api = 1, title = "Screens" }
