return { hello = "Annyeong {name}" }
