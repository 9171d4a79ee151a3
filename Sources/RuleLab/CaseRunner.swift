// Runs cases.
