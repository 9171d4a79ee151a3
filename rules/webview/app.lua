-- Web view: the app is a web page in a frame, and what a message carries is handed to that page.
--
-- arrive.lua   a message wakes the app without a tap
-- banner.lua   a message comes while the person is looking at the app
-- cases/       examples with the answer that must come out: `rulehost test webview`
--
-- With the page on the screen the label `page = "now"` tells the app to hand the message in its hand to the page; nothing
-- is kept of it. Otherwise what it carries is kept (`inbox`) and comes when the app says that its page is ready
-- (`resume`), oldest first and only once. Either way the page has it once. What to do with push tokens, in whatever order
-- they come, is built in.
return {
  api   = 1,
  title = "Web view",
}
