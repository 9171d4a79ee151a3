rule "Stay quiet" (
  on     = "present",
  decide = suppress "no"
)
