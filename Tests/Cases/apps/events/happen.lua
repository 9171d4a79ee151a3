-- Events without a message.

rule "Settings: what a rule sees" {
  on     = "settings",
  decide = function()
    local labels = {}
    for _, code in ipairs { "offers", "news" } do labels[code] = tostring(settings.get(code)) end
    return { labels = labels }
  end,
}

rule "Login: the language, too" {
  on     = "account",
  when   = function(msg, device, event) return event.op == "login" and device.locale ~= nil end,
  decide = function(msg, device) return { topics = { subscribe = { "lang-" .. string.sub(device.locale, 1, 2) } } } end,
}

rule "Token: a label" {
  on     = "token",
  decide = function(msg, device, event) return { labels = { kind = event.kind } } end,
}

rule "Silent: keep what it carries" {
  on     = "receive",
  silent = true,
  when   = function(msg) return msg.data.order ~= nil end,
  decide = function(msg) return { inbox = { order = msg.data.order } } end,
}

rule "Tap: where it says" {
  on     = "open",
  when   = function(msg) return msg.data.room ~= nil or msg.link ~= nil end,
  decide = function(msg)
    if msg.link then return route(msg.link) end
    return route { account = msg.data.switch, tab = "chat", path = { msg.data.room }, mode = msg.data.mode }
  end,
}
