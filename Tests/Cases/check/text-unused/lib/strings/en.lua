return {
  hello = "Hello {name}",
  bye = "Bye",
}
