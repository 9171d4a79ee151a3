return {
  hello = "Annyeong, {name}",
}
