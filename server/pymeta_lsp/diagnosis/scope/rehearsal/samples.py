"""Arguments worth trying: everyday cases and edge cases of each shape that a parameter may have."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final


class Shape(Enum):
    """What a parameter is probably meant to be."""

    NUMBERS = "numbers"
    WORDS = "words"
    PAIRS = "pairs"
    WORD_PAIRS = "pairs of words"
    ROWS = "rows"
    NUMBER_PAIRS = "pairs of numbers"
    TEXT = "text"
    DIGITS = "digits"
    LETTER = "letter"
    TABLE = "table"
    TABLE_OF_LISTS = "table of lists"
    NUMBER = "number"
    FIRST_INDEX = "first index"
    LAST_INDEX = "last index"
    LENGTH = "length"
    """Of the list that is passed too, as where other languages' lists do not know their own."""
    PAIR_FIRST = "first of a pair"
    PAIR_LAST = "last of a pair"
    POINT = "point"
    TRIPLE = "three numbers"
    VALUE = "value"
    """Something like an element of the list that is passed too."""
    TRUTH = "truth"
    FUNCTION = "function"


TYPICAL: Final = 3
"""The first samples are everyday cases; the others, one element and none, are edge cases."""
COUNT: Final = 5
UNEVEN: Final = 2
"""Further edge cases of functions that take two lists: one of them is empty."""

_NUMBERS: Final[tuple[list[int], ...]] = ([1, 3, 5, 7], [4, 2, 5, 1, 3], [2, 2, 1], [6], [])
_MORE_NUMBERS: Final[tuple[list[int], ...]] = ([2, 4, 6, 8], [7, 3, 9, 2, 5], [5, 3, 1, 4], [1], [])
_SAMPLES: Final[dict[Shape, tuple[Any, ...]]] = {
    Shape.NUMBERS: _NUMBERS,
    Shape.WORDS: (["pear", "fig", "apple"], ["b", "a", "c", "a"], ["kiwi", "nut"], ["a"], []),
    Shape.PAIRS: (
        [("a", 3), ("b", 1), ("c", 2)],
        [("pear", 2), ("fig", 5), ("pear", 4)],
        [("x", 5), ("y", 4)],
        [("a", 1)],
        [],
    ),
    Shape.WORD_PAIRS: (
        [("red", "rose"), ("red", "poppy"), ("blue", "iris")],
        [("a", "1"), ("b", "1")],
        [("x", "2"), ("y", "3")],
        [("a", "1")],
        [],
    ),
    # A grid without rows is no grid.
    Shape.ROWS: (
        [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        [[1, 0], [0, 1]],
        [[3, 1], [2, 4]],
        [[0, 0], [0, 0]],
        [[5, 5], [5, 5]],
    ),
    Shape.DIGITS: ("12", "345", "7", "1", "0"),
    Shape.NUMBER_PAIRS: ([[0, 1], [1, 2], [0, 2]], [[1, 2], [0, 1]], [[2, 1], [0, 2], [1, 0]], [[0, 1]], []),
    Shape.TEXT: ("hello", "abca", "level", "a", ""),
    Shape.LETTER: ("l", "c", "z", "a", "x"),
    Shape.TABLE: ({"a": 1, "b": 2, "c": 3}, {"x": 1, "y": 1, "z": 2}, {"k": 5, "m": 0}, {"a": 1}, {}),
    Shape.TABLE_OF_LISTS: ({"a": [1, 2], "b": [3, 4]}, {"x": [2, 1], "y": [5, 5]}, {"k": [0, 3]}, {"a": [1, 1]}, {}),
    Shape.POINT: ((1, 3), (4, 2), (2, 2), (0, 1), (0, 0)),
    Shape.TRIPLE: ((1, 3, 5), (4, 2, 6), (2, 2, 1), (0, 0, 1), (0, 0, 0)),
    Shape.NUMBER: (3, 6, 2, 1, 0),
    Shape.VALUE: (5, 2, 9, 6, 1),
    Shape.TRUTH: (True, False, True, False, True),
}
OTHERWISE: Final[dict[Shape, tuple[Shape, ...]]] = {
    Shape.NUMBERS: (
        Shape.PAIRS,
        Shape.WORDS,
        Shape.ROWS,
        Shape.TEXT,
        Shape.NUMBER,
        Shape.TABLE,
        Shape.TABLE_OF_LISTS,
    ),
    Shape.WORDS: (Shape.NUMBERS, Shape.PAIRS, Shape.ROWS, Shape.TEXT),
    Shape.PAIRS: (
        Shape.WORD_PAIRS,
        Shape.ROWS,
        Shape.NUMBER_PAIRS,
        Shape.WORDS,
        Shape.NUMBERS,
        Shape.TEXT,
        Shape.TABLE,
    ),
    Shape.ROWS: (Shape.NUMBER_PAIRS, Shape.PAIRS, Shape.NUMBERS, Shape.WORDS),
    Shape.TEXT: (Shape.NUMBERS, Shape.DIGITS, Shape.WORDS, Shape.NUMBER, Shape.PAIRS),
    Shape.LETTER: (Shape.NUMBER, Shape.TEXT, Shape.DIGITS, Shape.NUMBERS),
    Shape.TABLE: (Shape.TABLE_OF_LISTS, Shape.NUMBERS, Shape.PAIRS, Shape.TEXT),
    Shape.NUMBER: (Shape.NUMBERS, Shape.PAIRS, Shape.TEXT, Shape.DIGITS, Shape.TABLE),
    Shape.FIRST_INDEX: (Shape.LETTER, Shape.NUMBERS, Shape.TEXT),
    Shape.LAST_INDEX: (Shape.NUMBERS, Shape.LETTER, Shape.TEXT),
    Shape.LENGTH: (Shape.NUMBER, Shape.NUMBERS),
    Shape.PAIR_FIRST: (Shape.NUMBER, Shape.TEXT),
    Shape.PAIR_LAST: (Shape.NUMBER, Shape.TEXT),
    Shape.VALUE: (Shape.PAIRS, Shape.TEXT, Shape.NUMBERS, Shape.ROWS),
    Shape.TRUTH: (Shape.NUMBER,),
}
"""What else a parameter may be meant to be when a guess makes no sense, the likeliest first."""


def turns(found: list[Shape]) -> int:
    """How many rehearsals there are for such arguments."""
    if not found:
        return 1
    return COUNT + UNEVEN * (found.count(Shape.NUMBERS) > 1)


def family(shape: Shape) -> Shape:
    """Shapes of one family differ in what they hold, not in what they are."""
    if shape in (Shape.WORDS, Shape.PAIRS, Shape.WORD_PAIRS, Shape.ROWS, Shape.NUMBER_PAIRS):
        return Shape.NUMBERS
    if shape is Shape.TABLE_OF_LISTS:
        return Shape.TABLE
    if shape in (Shape.LETTER, Shape.DIGITS):
        return Shape.TEXT
    if shape in (Shape.FIRST_INDEX, Shape.LAST_INDEX, Shape.LENGTH):
        return Shape.NUMBER
    return shape


def arguments_for(found: list[Shape], turn: int) -> list[Any]:
    """The arguments of rehearsal ``turn``, made anew at each call."""
    result: list[Any] = []
    lists = 0
    empty, turn = (turn - COUNT, 0) if turn >= COUNT else (None, turn)
    for shape in found:
        if shape is Shape.NUMBERS and empty is not None and (lists > 0) is (empty == 0):
            result.append([])
            lists += 1
        elif shape is Shape.NUMBERS:
            result.append(list((_MORE_NUMBERS if lists else _NUMBERS)[turn]))
            lists += 1
        elif shape is Shape.FIRST_INDEX:
            result.append(0)
        elif shape in (Shape.LAST_INDEX, Shape.PAIR_FIRST, Shape.PAIR_LAST):
            result.append(None)
        elif shape is Shape.LENGTH:
            result.append(next((len(value) for value in reversed(result) if isinstance(value, (list, str))), 3))
        elif shape is Shape.FUNCTION:
            result.append(first_of)
        else:
            value = _SAMPLES[shape][turn]
            result.append(_COPIES.get(type(value), _same)(value))
    pairs = next(
        (value for value in result if isinstance(value, list) and value and type(value[0]) is tuple), [("a", 1)]
    )
    for place, shape in enumerate(found):
        if shape in (Shape.PAIR_FIRST, Shape.PAIR_LAST):
            result[place] = pairs[0][0 if shape is Shape.PAIR_FIRST else -1]
    length = next((len(value) for value in result if isinstance(value, (list, str))), 1)
    return [max(length - 1, 0) if value is None else value for value in result]


def first_of(*values: Any) -> Any:
    """A function to pass where one is wanted: gives its first argument back."""
    return values[0] if values else 0


def _same(value: Any) -> Any:
    return value


def _copy_list(value: list[Any]) -> list[Any]:
    return [list(item) if isinstance(item, list) else item for item in value]


_COPIES: Final[dict[type, Callable[[Any], Any]]] = {list: _copy_list, dict: dict}
