"""What other tools for Python say of the same programs: linters, type checkers and Thonny's assistant beside our own."""
