return {
  hello = "Hello {name}",
  kind_offer = "An offer",
  items = { one = "{n} item", other = "{n} items" },
}
