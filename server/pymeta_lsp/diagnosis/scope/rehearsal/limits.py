"""What a rehearsal may cost, and how it ends when it would cost more or needs what it cannot know."""

from __future__ import annotations

import ast
import collections
from typing import Any, Final

MOST_STATEMENTS: Final = 900
"""Statements of one rehearsal."""
MOST_DEPTH: Final = 45
"""Calls inside calls: sample arguments are so small that sound recursion ends long before."""
LONGEST: Final = 1_000
"""Elements of one container, characters of one text."""
HEAVIEST: Final = 100
"""Values inside values that one element of a container may hold altogether."""
MOST_TOUCHED: Final = 5_000
"""Values that one call or comparison may have to go through, those inside others counted each time they are met."""
MOST_BITS: Final = 512
MOST_PRINTED: Final = 20_000
"""Characters that one play may print."""

SCALARS: Final = frozenset({int, float, str, bool, type(None), bytes, complex})


class UnknownError(BaseException):
    """The rehearsal cannot go on: it would cost too much, or needs what it does not know. Says nothing of the program.

    Not an ``Exception``, so that no ``except`` of the rehearsed program catches it.
    """


class EndlessError(BaseException):
    """A loop has come back to a state it was in before, so it never ends. Nothing in the program can catch it."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__("the loop never ends")
        self.pymeta_node = node


def weigh(value: Any, room: int = HEAVIEST) -> int:
    """How many values ``value`` holds, itself included; raises ``UnknownError`` past ``room``."""
    if type(value) in SCALARS:
        return 1
    total = 1
    for part in _parts(value):
        if len(part) > room:
            raise UnknownError
        for item in part:
            total += 1 if type(item) in SCALARS else weigh(item, room - total)
            if total > room:
                raise UnknownError
    return total


VIEWS: Final[tuple[Any, ...]] = (type({}.keys()), type({}.values()), type({}.items()))


def _parts(value: Any) -> tuple[Any, ...]:
    """What ``value`` holds: exceptions too are nested in each other, and views of dictionaries."""
    if isinstance(value, dict):
        return value.keys(), value.values()
    if isinstance(value, (list, tuple, set, frozenset, collections.deque, *VIEWS)):
        return (value,)
    return (value.args,) if isinstance(value, BaseException) else ()


def element(value: Any) -> Any:
    """``value``, small enough to be put into a container."""
    if type(value) not in SCALARS:
        weigh(value)
    return value


def sized(value: Any) -> Any:
    """``value``, small enough to go on with."""
    kind = type(value)
    if kind is int:
        if value.bit_length() > MOST_BITS:
            raise UnknownError
    elif kind in _LONG and len(value) > LONGEST:
        raise UnknownError
    return value


_LONG: Final = frozenset(
    {str, list, tuple, bytes, set, frozenset, dict, collections.deque, collections.Counter, collections.defaultdict}
)


def check_iterables(values: tuple[Any, ...]) -> None:
    """No range so long that going through it would take noticeable time."""
    for value in values:
        if type(value) is range and value[LONGEST:]:  # not ``len``: it may not fit
            raise UnknownError
