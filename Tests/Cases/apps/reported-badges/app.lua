-- What becomes of the number on the icon. `cases/` names the public reports that each example is about.
return { api = 1, title = "Badges" }
