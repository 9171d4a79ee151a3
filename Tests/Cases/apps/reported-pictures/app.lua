-- What the app does to a message before it is shown. `cases/` names the public reports that each example is about.
return { api = 1, title = "Pictures" }
