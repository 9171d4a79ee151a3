-- Who logs in and out, and the topics that go with it. `cases/` names the public reports that each example is about.
return { api = 1, title = "Logins", topics = { "person%{recipient}" } }
