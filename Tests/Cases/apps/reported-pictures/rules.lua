rule "Broken: fails in the extension" { on = "enrich", channel = "broken", final = true, decide = function() error("no luck") end }
rule "Held: not shown by the extension" { on = "enrich", channel = "held", decide = suppress "the app will show it" }

rule "Extension: the title is edited" {
  on     = "enrich",
  when   = function(msg) return msg.channel == nil end,
  decide = function(msg) return { title = msg.title .. ", edited" } end,
}

rule "In front: everything" { on = "present", decide = show {} }
