return {
  hello = "Hello {name}",
}
