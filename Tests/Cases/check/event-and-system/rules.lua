rule "Android: quiet" {
  on     = "present",
  os     = "android",
  decide = suppress "not on Android",
}
