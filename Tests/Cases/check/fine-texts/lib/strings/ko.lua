return {
  hello = "Annyeong {name}",
  kind_offer = "Gwanggo",
  items = { other = "{n}" },
}
