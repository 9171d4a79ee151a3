rule "Count" { on = "present", decide = {} }

-- unfinished
rule "Stay quiet"
