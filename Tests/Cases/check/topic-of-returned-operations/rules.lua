rule "Tap: join" {
  on     = "open",
  decide = function(msg) if msg.id then return nil end
    return { topics = { { op = "subscribe", topic = "new" } } } end,
}
