rule "Broken {
