"""Modules whose values are not those that a beginner's list, number or text is guessed to be."""

from __future__ import annotations

import ast
import sys
from typing import Final

_WITH_OPERATORS: Final = frozenset(["array", "datetime", "decimal", "fractions", "pathlib"])
"""Modules of the standard library whose objects have operators of their own."""


def uses_strangers(tree: ast.Module) -> bool:
    """Whether the program imports arrays, tables, paths, dates …: what it does with a name tells little of its kind."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        tops = {name.partition(".")[0] for name in names}
        if tops & _WITH_OPERATORS or tops - sys.stdlib_module_names:
            return True
    return False
