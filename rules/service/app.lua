-- Service: one object in the app speaks for all notifications; this is what it asks.
--
-- banner.lua       a message comes while the person is looking at the app
-- tap.lua          the person taps a notification
-- permission.lua   the person has never been asked
-- cases/           examples with the answer that must come out: `rulehost test service`
--
-- Not written here because it is built in: what to do with push tokens, in whatever order they come.
return {
  api   = 1,
  title = "Service",
}
