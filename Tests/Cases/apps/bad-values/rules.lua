local function mistake(channel, decide)
  rule("Mistake: " .. channel) { on = { "present", "open" }, channel = channel, decide = decide }
end

-- What a function gives back.
mistake("badge below zero", function() return { badge = -1 } end)
mistake("badge of one and a half", function() return { badge = 1.5 } end)
mistake("badge without end", function() return { badge = 5000000000 } end)
mistake("badge in words", function() return { badge = "lots" } end)
mistake("badge that adds a text", function() return { badge = { add = "one" } } end)
mistake("display misspelt", function() return { display = "supress" } end)
mistake("option misspelt", function() return { display = { "baner" } } end)
mistake("field misspelt", function() return { displya = "show" } end)
mistake("reason as a number", function() return { display = "suppress", reason = 5 } end)
mistake("held until 25:00", function() return { display = "defer", hold_until = "25:00" } end)
mistake("held until before now", function() return { display = "defer", hold_until = "-2h" } end)
mistake("held until tomorrow", function() return { display = "defer", hold_until = "tomorrow" } end)
mistake("route to nothing", function() return { route = "" } end)
mistake("route as a number", function() return { route = 5 } end)
mistake("route by jumping", function() return { route = { tab = "chat", mode = "jump" } } end)
mistake("route with a path in one piece", function() return { route = { tab = "chat", path = "a/b" } } end)
mistake("topic with a space", function() return { topics = { subscribe = { "big news" } } } end)
mistake("topic without a name", function() return { topics = { subscribe = { "" } } } end)
mistake("topic that is joined", function() return { topics = { { op = "join", topic = "news" } } } end)
mistake("fetch result misspelt", function() return { fetch_result = "newdata" } end)
mistake("relevance of two", function() return { relevance = 2 } end)
mistake("level that is loud", function() return { interruption_level = "loud" } end)
mistake("attachment without an address", function() return { attachments = { { type = "image/png" } } } end)
mistake("label as a number", function() return { labels = { a = 1 } } end)
mistake("inbox with a function", function() return { inbox = { print = function() end } } end)
mistake("title as a table", function() return { title = {} } end)
mistake("a text in place of a table", function() return "suppress" end)
mistake("a number in place of a table", function() return 5 end)

mistake("decision in a circle", function()
  local answer = { display = "show" }
  answer.labels = answer
  return answer
end)
mistake("inbox in a circle", function()
  local a, b = {}, {}
  a.b, b.a = b, a
  return { inbox = a }
end)
mistake("inbox too deep", function()
  local inbox = {}
  for _ = 1, 100 do inbox = { inbox } end
  return { inbox = inbox }
end)

-- What a function is called with.
mistake("between 25:00 and 07:00", function() return { badge = time.between("25:00", "07:00") and 1 or 2 } end)
mistake("a zone on Mars", function() return { badge = time.between("22:00", "07:00", "Mars/Olympus") and 1 or 2 } end)
mistake("soon", function() return defer(time.add(time.now, "soon")) end)
mistake("the start of a fortnight", function() return defer(time.start_of("fortnight")) end)
mistake("state under a number", function() state.set(5, 1) end)
mistake("state with a function", function() state.set("f", function() end) end)
mistake("state in a circle", function()
  local a = {}
  a.a = a
  state.set("a", a)
end)
mistake("state for a while", function() state.set("a", 1, { ttl = "a while" }) end)
mistake("state that counts a text", function()
  state.set("a", "one")
  state.incr("a")
end)
mistake("a switch that is neither on nor off", function() settings.set("offers", "maybe") end)
mistake("a text with a hole", function() return { title = text.fill("Hello {name}", {}) } end)
mistake("a text cut at nothing", function() return { title = text.truncate("Hello", "five") } end)
mistake("a share of nothing", function() return { badge = bucket(nil) } end)
mistake("an error without words", function() error() end)
mistake("an error that is a table", function() error({ 1, 2 }) end)

-- What the guards mend.
mistake("route that runs something", function() return route "javascript:alert(1)" end)
mistake("route that runs something in a tab", function() return route { tab = "chat", url = "JavaScript:alert(1)" } end)
