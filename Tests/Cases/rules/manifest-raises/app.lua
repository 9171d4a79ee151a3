local titles = nil
local title = titles.colours
return { api = 1, title = title }
