"""Remembers at which node an exception rose, and the values that met there."""

from __future__ import annotations

import ast
import re
from typing import Any, Final

from .limits import SCALARS, UnknownError, weigh

_LONGEST_SHOWN: Final = 60
"""Characters of a value that a student is shown."""


def mark(error: BaseException, node: ast.AST, *values: Any) -> None:
    """Note that ``error`` rose at ``node`` between ``values``, unless an inner node is known."""
    if getattr(error, "pymeta_node", None) is None:
        error.pymeta_node = node  # type: ignore[attr-defined]
        # Now: what follows, an ``except`` perhaps, may change them.
        error.pymeta_values = tuple(Shown(value) for value in values)  # type: ignore[attr-defined]


_NAMES: Final = {
    "Function": "function",
    "Method": "method",
    "BuiltinMethod": "builtin_function_or_method",
    "Class": "type",
}
"""What Python's messages call the machine's own."""


def message_of(error: BaseException) -> str:
    """What Python would say of it. Raises ``UnknownError`` where that is not known, as an object's text is in it."""
    message = str(error)[:200]
    if isinstance(error, (TypeError, AttributeError)):
        for ours, pythons in _NAMES.items():
            message = re.sub(rf"\b{ours}\b", pythons, message)
        if re.search(r"\bInstance\b", message):
            raise UnknownError
    return message


def culprit(error: BaseException) -> Any:
    """The node where ``error`` rose, or None."""
    return getattr(error, "pymeta_node", None)


def values_at(error: BaseException) -> tuple[Shown, ...]:
    """The values that met there, as they were."""
    return getattr(error, "pymeta_values", ())


class Shown:
    """A value as a student is shown it."""

    __slots__ = ("kind", "length", "text")

    def __init__(self, value: Any) -> None:
        self.kind = type(value)
        self.text: str | None = None
        """As Python writes it; None where that is long, or says nothing."""
        self.length: int | None = None
        """How many elements it has, where it has any."""
        if type(value) in SCALARS or isinstance(value, (list, tuple, dict, set, frozenset, range)):
            self.length = len(value) if hasattr(value, "__len__") else None
            try:
                weigh(value, _LONGEST_SHOWN)
                text = repr(value)
            except (Exception, UnknownError):
                return
            if len(text) <= _LONGEST_SHOWN and " at 0x" not in text:
                self.text = text

    @property
    def is_function(self) -> bool:
        """Whether it is called with round brackets: a function, a method or a class."""
        return self.text is None and "__call__" in dir(self.kind)


def unknown(frame: Any) -> Any:
    """The closure of what no rehearsal can know."""
    raise UnknownError


NO_DEFAULT: Any = object()
"""Stands for a keyword-only parameter without default."""
