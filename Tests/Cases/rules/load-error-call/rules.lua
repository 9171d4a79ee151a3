-- to be done
error("the tabs have moved")
