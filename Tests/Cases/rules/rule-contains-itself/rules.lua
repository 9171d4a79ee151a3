local answer = { display = "show" }
answer.labels = answer
rule "Chat" { on = "present", decide = answer }
