local function values(msg) return { name = msg.data.name, n = msg.data.n } end

rule "A text of the app" {
  on     = "present",
  when   = function(msg) return msg.data.say ~= nil end,
  decide = function(msg) return { title = text.tr(msg.data.say, values(msg)) } end,
}

rule "Messages, counted" {
  on     = "present",
  when   = function(msg) return msg.data.count ~= nil end,
  decide = function(msg)
    return { title = text.plural(msg.data.count, { one = "one: {n}", two = "two: {n}", few = "few: {n}", many = "many: {n}", other = "other: {n}" }) }
  end,
}

rule "Messages, with two forms" {
  on     = "present",
  when   = function(msg) return msg.data.two_forms ~= nil end,
  decide = function(msg) return { title = text.plural(msg.data.two_forms, { one = "{n} message", other = "{n} messages" }) } end,
}
