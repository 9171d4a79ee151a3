return { greeting = "{name} 님, 반갑습니다" }
