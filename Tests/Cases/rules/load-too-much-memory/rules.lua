local all = {}
for i = 1, 100000 do all[i] = ("x"):rep(1000) .. i end
