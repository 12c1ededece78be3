"""A language server that labels errors in student programs with the PyMETA taxonomy."""
