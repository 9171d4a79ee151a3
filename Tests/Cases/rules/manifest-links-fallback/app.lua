return {
  api = 1,
  links = { fallback = "javascript:alert(1)" },
}
