rule "Copied: title and body pass through a rule" {
  on      = "present",
  channel = "copied",
  decide  = function(msg) return { title = msg.title, body = msg.body } end,
}

rule "Kept: the data pass through a rule" {
  on      = "present",
  channel = "kept",
  decide  = function(msg) return { inbox = msg.data } end,
}
