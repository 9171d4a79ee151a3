return {
  items = { one = "{n} rzecz", many = "{n} rzeczy", other = "{n} rzeczy" },
}
