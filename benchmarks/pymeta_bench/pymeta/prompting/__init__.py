"""Prompting a language model for labels: what it is asked, and how its replies are read."""
