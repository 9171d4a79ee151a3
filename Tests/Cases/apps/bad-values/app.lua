-- What rules can only get wrong while they run. Each channel has one mistake; the message is shown all the same.
return { api = 1, title = "Bad values" }
