"""Tells recursion without an end from recursion whose end lies deeper than a rehearsal follows it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from .objects import Instance

PYTHON_DEPTH: Final = 1_000
"""Calls inside calls that Python allows where the program does not change the limit."""
_SIZED: Final = (str, bytes, list, tuple, set, frozenset, dict, range)
_FEWEST: Final = 3
"""Calls of one function that show where its arguments go."""


class Call(NamedTuple):
    """One of the calls inside calls: the function and, of each argument, how far it is."""

    node: ast.AST
    measures: tuple[int | float | object, ...]


def measure(values: Iterable[Any]) -> tuple[int | float | object, ...]:
    """Of each argument the number that a recursion may count with: its value, or its length; else what it is."""
    return tuple(
        len(value) if isinstance(value, _SIZED) else value if type(value) in (int, float, Instance) else None
        for value in values
    )


def may_end(calls: Sequence[Call], depth: int, bounds: Iterable[int], limit_changed: bool) -> bool:
    """Whether the recursion that ``calls`` are the innermost of, ``depth`` deep, may still end by itself.

    It may while a number that counts down is above zero (and Python's own limit is not met first), while one that
    counts up is below one of ``bounds``, and while it goes from one object to another.
    """
    own = [call.measures for call in calls if call.node is calls[-1].node]
    if len(own) < _FEWEST:
        return True
    limits = [*bounds, *(each for each in own[-1] if isinstance(each, (int, float)))]
    for steps in zip(*own, strict=False):
        if all(isinstance(each, Instance) for each in steps):
            ends = len({id(each) for each in steps}) == len(steps)
        else:
            counts = all(isinstance(each, (int, float)) for each in steps)
            ends = counts and _counts_to_an_end(steps, depth, limits, limit_changed)
        if ends:
            return True
    return False


def _counts_to_an_end(steps: Sequence[Any], depth: int, limits: Sequence[float], limit_changed: bool) -> bool:
    first, last = steps[0], steps[-1]
    pace = abs(last - first) / (len(steps) - 1)
    if first > last > 0:
        return limit_changed or depth + last / pace < PYTHON_DEPTH
    if last > first:
        ahead = [limit for limit in limits if limit > last]
        return any(limit_changed or depth + (limit - last) / pace < PYTHON_DEPTH for limit in ahead)
    return False
