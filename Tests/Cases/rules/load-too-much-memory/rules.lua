local all = {}
for i = 1, 1000000 do all[i] = i end
