return {
  greeting = "{name} 님, 안녕하세요",
  ["cart.items"] = { other = "{name} 님의 상품 {n}개" },
}
