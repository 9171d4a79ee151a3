rule "Stay quiet" { on = "present", when = function(msg) return msg.channel = "chat" end, decide = suppress "no" }
