"""How a data set is parted, and whether the parts know each other."""
