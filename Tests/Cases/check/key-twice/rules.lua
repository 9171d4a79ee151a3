rule "Chat: quiet in its room" {
  on     = "present",
  state  = "inactive",
  decide = function(msg)
    if msg.title == "a" then
      return { display = "suppress", badge = 3, ["badge"] = 4 }
    end
  end,
  state  = "foreground",
}
