"""Programs that only an online judge runs: a ``class Solution`` that nothing in the program uses.

Such judges put imports and classes of their own before the program, so their names are there.
"""

from __future__ import annotations

import ast
import importlib
from functools import lru_cache
from typing import Final

_IMPORTED: Final = ("typing", "collections", "itertools", "functools", "heapq", "bisect", "math", "string", "operator")
"""Modules whose names are there, as after ``from typing import *``."""
_MODULES: Final = frozenset([*_IMPORTED, "copy", "datetime", "random", "re", "statistics", "sys", "time"])
_CLASSES: Final = frozenset(["ListNode", "Node", "SortedDict", "SortedList", "SortedSet", "TreeNode"])


def names_given(tree: ast.Module) -> frozenset[str]:
    """The names that the judge gives the program; empty for a program that runs by itself."""
    has_class = any(isinstance(node, ast.ClassDef) and node.name == "Solution" for node in tree.body)
    if not has_class or any(isinstance(node, ast.Name) and node.id == "Solution" for node in ast.walk(tree)):
        return frozenset()
    return _all_names()


@lru_cache(maxsize=1)
def _all_names() -> frozenset[str]:
    names = {name for module in _IMPORTED for name in dir(importlib.import_module(module)) if not name.startswith("_")}
    return frozenset(names) | _MODULES | _CLASSES
