"""Remembers at which node an exception rose."""

from __future__ import annotations

import ast
from typing import Any

from .limits import UnknownError


def mark(error: BaseException, node: ast.AST) -> None:
    """Note that ``error`` rose at ``node``, unless an inner node is known."""
    if getattr(error, "pymeta_node", None) is None:
        error.pymeta_node = node  # type: ignore[attr-defined]


def culprit(error: BaseException) -> Any:
    """The node where ``error`` rose, or None."""
    return getattr(error, "pymeta_node", None)


def unknown(frame: Any) -> Any:
    """The closure of what no rehearsal can know."""
    raise UnknownError


NO_DEFAULT: Any = object()
"""Stands for a keyword-only parameter without default."""
