-- Nothing, and an empty something. `cases/` names the public reports that each example is about.
return { api = 1, title = "Empties" }
