-- Is it silent, and does it wake the app? `cases/` names the public reports that each example is about.
return { api = 1, title = "Wake-ups", fields = { title = { "json:message.data|title" } } }
