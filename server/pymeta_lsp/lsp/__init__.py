"""The protocol: the only package that knows pygls."""
