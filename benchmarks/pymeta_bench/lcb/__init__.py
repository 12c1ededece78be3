"""LiveCodeBench: models judged on problems newer than they are (LiveCodeBench, arXiv 2403.07974)."""
