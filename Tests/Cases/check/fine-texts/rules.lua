rule "Hello" {
  on     = "open",
  decide = function(msg)
    local values = { name = msg.title or "" }
    return { labels = { text = text.tr("hello", values), kind = text.tr("kind_" .. tostring(msg.data.kind)), fill = text.fill("{ a } {", {}) } }
  end,
}
