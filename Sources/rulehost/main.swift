print("rulehost")
