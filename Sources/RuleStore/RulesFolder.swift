// Rules and state on disk.
