"""Arguments worth trying on a function: by kind, everyday ones first, then the edges (none, one, zero, negative)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

_EVERYDAY: Final[dict[str, list[Any]]] = {
    "numbers": [[1, 3, 5, 7], [4, 2, 5, 3, 8], [2, 2, 1], [1, 2, 3, 4, 6, 7, 8], [5, 3, 5, 1, 3], [9, 8, 7], [1, 1, 1]],
    "number": [3, 6, 2, 5, 7, 10, 12, 41],
    "text": ["hello", "abca", "level", "a b c", "Hello World", "aab"],
    "words": [["pear", "fig", "apple"], ["b", "a", "c", "a"], ["kiwi", "nut"]],
    "table": [{"a": 1, "b": 2, "c": 3}, {"x": 1, "y": 1, "z": 2}, {"k": 5, "m": 0}],
    "float": [2.5, 0.5, 10.25],
    "letter": ["l", "c", "z", "a"],
    "rows": [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 0], [0, 1]], [[3, 1], [2, 4]]],
    "word pairs": [
        [("red", "1"), ("red", "2"), ("blue", "1")],
        [("a", "1"), ("b", "1")],
        [("x", "2"), ("y", "3"), ("y", "2")],
    ],
    "pairs": [[("a", 3), ("b", 1), ("c", 2)], [("pear", 2), ("fig", 5), ("pear", 4)], [("x", 5), ("y", 4)]],
    "truth": [True, False],
    "digits": ["12", "345", "7"],
    "word": ["red", "a", "x", "1"],
    "first index": [0],
    "last index": [0],
    "first of pair": ["red", "a", "x", "z"],
    "last of pair": ["1", "2", "3", "9"],
}
_EDGE: Final[dict[str, list[Any]]] = {
    "numbers": [[], [6]],
    "number": [0, 1, -1],
    "text": ["", "a"],
    "words": [[], ["a"]],
    "table": [{}, {"a": 1}],
    "float": [0.0, -1.5],
    "letter": ["x"],
    "rows": [[[1]]],
    "word pairs": [[], [("a", "1")]],
    "pairs": [[], [("a", 1)]],
    "truth": [],
    "digits": ["0"],
    "word": ["2"],
    "first index": [],
    "last index": [],
    "first of pair": [],
    "last of pair": [],
}
KINDS: Final = tuple(kind for kind in _EVERYDAY if not kind.endswith((" index", " pair")))
"""The kinds of argument, those that beginners' exercises most often mean first."""


def kind_of(value: Any) -> str | None:
    """The kind that an example's argument is of."""
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, (int, float)):
        return "number" if isinstance(value, int) else "float"
    if isinstance(value, str):
        return "digits" if value.isdigit() else "letter" if len(value) == 1 else "text"
    if isinstance(value, dict):
        return "table"
    if isinstance(value, (list, tuple)):
        inner = {kind_of(item) for item in value}
        if inner <= {"number", "float"}:
            return "numbers"
        if inner <= {"text", "letter", "digits"}:
            return "words"
        if inner == {"numbers"}:
            return "rows"
        if inner == {"words"}:
            return "word pairs"
    return None


def everyday(kinds: Sequence[str], seed: int, count: int, *, in_order: bool) -> Iterator[list[Any]]:
    """``count`` lists of everyday arguments of ``kinds``; lists of numbers are sorted where ``in_order`` is asked for."""
    random_ = random.Random(seed)
    for turn in range(count):
        values: list[Any] = []
        for place, kind in enumerate(kinds):
            pool = _EVERYDAY[kind]
            # The first turns go through the samples in step; later ones mix them.
            value = pool[(turn + place) % len(pool)] if turn < len(pool) else random_.choice(pool)
            values.append(sorted(value) if in_order and kind in ("numbers", "words") else value)
        _relate(kinds, values, turn)
        yield values


def edges(kinds: Sequence[str], *, in_order: bool) -> Iterator[list[Any]]:
    """Arguments of which at least one is at the edge of its kind."""
    usual = next(everyday(kinds, 0, 1, in_order=in_order), [])
    for place, kind in enumerate(kinds):
        for value in _EDGE[kind]:
            values = [*usual]
            values[place] = value
            yield values
    if len(kinds) > 1:
        yield from (list(values) for values in itertools.islice(itertools.product(*(_EDGE[kind] for kind in kinds)), 4))


def _relate(kinds: Sequence[str], values: list[Any], turn: int) -> None:
    """Every other time a value is one of the elements of the container beside it, as what is looked for often is."""
    for place, kind in enumerate(kinds):
        if kind == "last index":
            length = next((len(value) for value in values if isinstance(value, (list, str))), 1)
            values[place] = max(length - 1, 0)
        if turn % 2:
            continue
        holder = next(
            (value for other, value in zip(kinds, values, strict=True) if _holds(other, kind) and value), None
        )
        if holder is not None:
            elements = _elements(holder, kind)
            values[place] = elements[turn // 2 % len(elements)]


def _elements(holder: Any, kind: str) -> list[Any]:
    if kind in ("first of pair", "last of pair"):
        return [pair[0 if kind.startswith("first") else -1] for pair in holder]
    return [part for pair in holder for part in pair] if kind == "word" else list(holder)


def _holds(container: str, kind: str) -> bool:
    if kind in ("first of pair", "last of pair"):
        return container.endswith("pairs")
    return (container, kind) in {("numbers", "number"), ("words", "word"), ("text", "letter"), ("word pairs", "word")}
