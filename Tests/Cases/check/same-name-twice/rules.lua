rule "Chat" { on = "present", decide = suppress "no" }
rule "Chat" { on = "open", decide = { route = false } }
