rule "Room on screen: quiet" {
  on     = "present",
  when   = function(msg) return state.get("last_room") == msg.data.room end,
  decide = suppress "it is on screen",
}
