rule "Silent: quiet" {
  on     = "present",
  silent = true,
  decide = suppress "nobody sees it",
}
