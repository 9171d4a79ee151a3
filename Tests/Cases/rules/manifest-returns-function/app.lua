return function() return { api = 1 } end
