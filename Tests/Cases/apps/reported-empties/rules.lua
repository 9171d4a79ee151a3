rule "None: shown without anything" { on = "present", channel = "none", decide = { display = {} } }
rule "No wish" { on = "present", channel = "no wish", decide = {} }
rule "Kept: the list of the message" { on = "present", channel = "kept", decide = function(msg) return { inbox = msg.data.list } end }
rule "Everything else: into the list" { on = "present", decide = { display = { "list" } } }
rule "Emptied: shown without anything after all" { on = "present", channel = "emptied", override = true, decide = { display = {} } }

rule "Nowhere: a tap stays where it is" { on = "open", channel = "nowhere", decide = { route = false } }
rule "Tap: home" { on = "open", decide = route "shop://home" }
