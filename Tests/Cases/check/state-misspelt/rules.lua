rule "Room on screen: quiet" {
  on     = "present",
  when   = function(msg) return state.get("lastroom") == msg.data.room end,
  decide = function(msg)
    state.set("last_room", msg.data.room, { ttl = "1h" })
    return suppress(state.get("last_room"))
  end,
}
