-- Texts, types and nulls on their way through. `cases/` names the public reports that each example is about.
return { api = 1, title = "Texts" }
