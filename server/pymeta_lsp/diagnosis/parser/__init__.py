"""The parser stage: :func:`parse` asks CPython, explains what it refuses, and reads on behind the error."""

from .stage import Parsed, parse

__all__ = ["Parsed", "parse"]
