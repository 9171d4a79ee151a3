-- Topics: messages that arrive silently and become notifications of our own.
--
-- The server nests the text one level down, and on its way to the phone that level may turn into JSON text; other
-- messages carry title, message and channel at the top. `fields` names every place, the first that holds text wins.
return {
  api   = 1,
  title = "Topics",

  -- One switch per channel code; on until the person turns it off.
  channels = {
    notice = { title = "Notices" },
    event  = { title = "Events" },
    order  = { title = "Orders" },
  },
  -- A message with another code, or with none, is not shown.
  unknown_channel = false,

  -- Whoever logs in is subscribed to a topic of their own, and leaves everybody else's.
  topics = { "APPPUSH%{recipient}" },

  fields = {
    title   = { "title", "data.title", "json:message|title", "json:data.message|title", "json:message.data.message|title" },
    body    = { "json:message|content", "json:data.message|content", "json:message.data.message|content", "message", "data.message" },
    image   = { "imageUrl", "data.imageUrl", "json:message|imageUrl", "json:data.message|imageUrl", "json:message.data.message|imageUrl" },
    channel = { "channel", "data.channel", "json:message|channel", "json:data.message|channel", "json:message.data.message|channel" },
  },
}
