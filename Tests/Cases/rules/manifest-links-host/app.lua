return {
  api = 1,
  links = { hosts = { "https://shop.example" } },
}
