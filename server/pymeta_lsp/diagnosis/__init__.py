"""One program's text in; evidence and one verdict out. No protocol, no files, no clock."""
