-- Topics joined and left. `cases/` names the public reports that each example is about.
return { api = 1, title = "Topics" }
