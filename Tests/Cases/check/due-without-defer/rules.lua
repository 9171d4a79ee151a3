rule "Late: into the list" {
  on     = "due",
  decide = { display = { "list" } },
}
