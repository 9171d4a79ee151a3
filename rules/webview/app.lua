-- Web view: the app is a web page in a frame, and what a message carries is handed to that page.
--
-- arrive.lua   a message wakes the app without a tap
-- banner.lua   a message comes while the person is looking at the app
-- cases/       examples with the answer that must come out: `rulehost test webview`
--
-- Not written here because it is built in: what stands in `inbox` is in the answer, and in front the page has it at once;
-- otherwise it is kept and comes when the app says that its page is ready (`resume`), oldest first and only once. And
-- what to do with push tokens, in whatever order they come.
return {
  api   = 1,
  title = "Web view",
}
