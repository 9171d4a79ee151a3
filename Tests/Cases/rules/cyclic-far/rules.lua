local a, b, c = {}, {}, {}
a.labels, b.more, c.more = b, c, a
rule "Chat" { on = "present", decide = a }
