"""Typing sessions replayed through real language servers over real pipes."""
