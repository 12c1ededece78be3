"""From problems and planted mistakes to a model bundle that the server loads."""
