// One Lua machine and its limits.
