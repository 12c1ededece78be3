"""Which problem a program answers, and the tests that say whether it does."""
