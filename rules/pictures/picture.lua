-- The app may work on a message before it is shown (`enrich`): it fetches the picture.

rule "Picture: into the notification" {
  on     = "enrich",
  when   = function(msg) return msg.image ~= nil end,
  decide = function(msg) return { attachments = { { url = msg.image } } } end,
}

rule "No picture: the text alone" {
  on     = "enrich",
  when   = function(msg) return msg.image == nil end,
  decide = { reason = "the message names no picture" },
}

rule "Picture that the app is not asked to fetch: the text alone" {
  on     = "send",
  when   = function(msg) return msg.image ~= nil end,
  decide = { reason = "without its picture: the message does not say mutable-content" },
}
