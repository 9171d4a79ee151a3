-- Pictures: the picture in the notification.
--
-- picture.lua  which picture is shown, and what is said when there is none
-- cases/       examples with the answer that must come out: `rulehost test pictures`
--
-- Not written here because it is built in: a picture that is not fetched over https, that does not come in time, is too
-- large or of a kind that phones do not show is left out with its reason, and the text is shown. What the picture is, the
-- picture itself says.
return {
  api    = 1,
  title  = "Pictures",
  fields = { image = { "picture", "json:extra|picture" } },   -- older senders put it here; fcm_options.image is built in
}
