rule "News: quiet" {
  on     = "present",
  topic  = "newss",
  decide = suppress "news are quiet",
}
