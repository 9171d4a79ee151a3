return { api = 1, channels = { offers = { title = "Offers" }, orders = { title = "Orders" } } }
