rule "Posted: into the list" {
  on      = "receive",
  channel = "posted",
  decide  = function(msg) return { display = { "list" }, title = msg.title } end,
}

rule "Silent: worth waking up for" {
  on     = "receive",
  silent = true,
  decide = { fetch_result = "new_data" },
}
