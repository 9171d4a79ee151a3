print("loading")
rule "Cart: stay quiet" { on = "present", decide = suppress "quiet" }
