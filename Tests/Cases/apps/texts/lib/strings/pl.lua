return { ["cart.items"] = { one = "{n} rzecz", few = "{n} rzeczy", other = "{n} sztuki" } }
