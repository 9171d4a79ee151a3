rule "Two pictures" {
  on     = "enrich",
  when   = function(msg) return msg.data.two end,
  decide = { attachments = { { url = "https://img.example.com/harbour.jpg" }, { url = "https://img.example.com/harbour-small.jpg" } } },
}

rule "A type that is none" {
  on     = "enrich",
  when   = function(msg) return msg.data.made_up end,
  decide = function(msg) return { attachments = { { url = msg.image, type = "image/../../../../evil" } } } end,
}

rule "Said to be PNG" {
  on     = "enrich",
  when   = function(msg) return msg.data.png end,
  decide = function(msg) return { attachments = { { url = msg.image, type = "image/png" } } } end,
}

rule "What is known of it" {
  on     = "enrich",
  when   = function(msg) return msg.data.look end,
  decide = function(msg, device, event) return { labels = { status = tostring(event.fetched.status) } } end,
}

rule "A reason of its own" {
  on     = "enrich",
  when   = function(msg) return msg.data.why ~= nil end,
  decide = function(msg) return { reason = msg.data.why } end,
}

rule "Picture and title" {
  on     = "enrich",
  decide = function(msg) return { attachments = { { url = msg.image } }, title = msg.title .. ", with a picture" } end,
}
