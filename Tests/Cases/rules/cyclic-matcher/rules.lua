local channels = { "chat" }
channels[2] = channels
rule "Chat" { on = "present", channel = channels, decide = {} }
