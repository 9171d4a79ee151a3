-- Whose message it is, and what the person allows. `cases/` names the public reports that each example is about.
return { api = 1, title = "People", fields = { account = { "account" } } }
