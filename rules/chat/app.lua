-- Chat: from a push to a screen.
--
-- banner.lua   what happens when a message comes while the app is in front
-- tap.lua      where a tap on a notification leads
-- cases/       examples with the answer that must come out: `rulehost test chat`
--
-- Not written here because it is built in: nothing is shown when the person has switched pushes off, in the app or in
-- the phone's settings; a quiet ("provisional") permission puts the message into the list only.
return {
  api   = 1,
  title = "Chat",
  tabs  = { "home", "chat", "myPage" },
}
