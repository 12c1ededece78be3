"""PyMETA's tasks, scored as the paper defines them (PyMETA, arXiv 2606.30610)."""
