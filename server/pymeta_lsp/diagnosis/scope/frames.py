"""The blocks and loops that an abstract run is in."""

from __future__ import annotations

from .state import State
from .symbols import Scope
from .values import Value


class EndedError(Exception):
    """The way that is being followed ends inside an expression: what it calls never comes back."""


class ExhaustedError(Exception):
    """The step budget is spent."""


class Loop:
    """A loop being run: the states at its ``break`` and ``continue`` statements."""

    __slots__ = ("breaks", "continues")

    def __init__(self) -> None:
        self.breaks: State | None = None
        self.continues: State | None = None


class Frame:
    """A block being run."""

    __slots__ = ("chain", "exits", "function", "key", "loops", "return_value", "returned", "scope", "yields")

    def __init__(self, key: int, scope: Scope, chain: tuple[tuple[int, Scope], ...]) -> None:
        self.key = key
        self.scope = scope
        self.chain = chain
        """(frame key, scope) pairs of this block and those around it, innermost first."""
        self.loops: list[Loop] = []
        self.return_value: Value | None = None
        self.returned: State | None = None
        self.exits = 0
        """How many ``return`` and ``raise`` statements have been run."""
