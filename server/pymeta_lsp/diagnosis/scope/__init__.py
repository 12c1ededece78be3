"""The scope stage: what surely, or probably, goes wrong when the program runs.

``find`` follows the program without running it (see ``engine``) and reports what fails in the order in which it would.
"""

from .find import find

__all__ = ["find"]
