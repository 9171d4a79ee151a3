rule "Night" { on = "present", decide = {} }
