-- Web view: the app is a web page in a frame, and what a message carries is handed to that page.
--
-- arrive.lua   a message wakes the app: to the page at once, or kept until the app is in front
-- banner.lua   a message comes while the person is looking at the app
-- cases/       examples with the answer that must come out: `rulehost test webview`
--
-- The label `page = "now"` tells the app to hand the message in its hand to the page. What is kept comes back when the
-- app says that its page is ready (`resume`), oldest first and only once.
return {
  api   = 1,
  title = "Web view",
}
