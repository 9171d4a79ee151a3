return {
  hello = "Annyeong {nme}",
}
