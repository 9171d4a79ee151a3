return {
  greeting = "Hello {name}",
  ["cart.items"] = { one = "{n} item for {name}", other = "{n} items for {name}" },
  only_english = "Only here, {name}",
  plain = "50 % off, { no name } {}",
}
