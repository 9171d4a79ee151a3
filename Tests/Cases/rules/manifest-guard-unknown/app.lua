return {
  api = 1,
  guards = { expire = false },
}
