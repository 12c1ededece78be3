"""Arguments worth trying: what a function does with a parameter, and how it is called, tell what it is meant to get."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

from .clues import Clues, loops_first, read, read_handed_on, read_keys


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

_LIST_NAMES: Final = frozenset(
    [
        "a",
        "b",
        "l",
        "lst",
        "list",
        "arr",
        "array",
        "nums",
        "numbers",
        "seq",
        "sequence",
        "values",
        "items",
        "data",
        "xs",
        "l1",
        "l2",
        "elements",
    ]
)
_TEXT_NAMES: Final = frozenset(
    ["s", "str", "string", "word", "text", "sentence", "line", "name", "msg", "message", "st", "phrase", "t", "w"]
)
_LETTER_NAMES: Final = frozenset(["letter", "char", "character", "ch", "c"])
_TABLE_NAMES: Final = frozenset(["d", "dict", "dictionary", "dic", "table", "counts", "mapping"])
_FIRST_NAMES: Final = frozenset(
    [
        "i",
        "lo",
        "low",
        "left",
        "start",
        "begin",
        "first",
        "p",
        "pos",
        "position",
        "index",
        "idx",
        "count",
        "l",
        "from_",
        "counter",
        "current",
    ]
)
_LAST_NAMES: Final = frozenset(["hi", "high", "right", "end", "last", "r", "stop", "j"])


_LENGTH_NAMES: Final = frozenset(["n", "m", "size", "length", "len", "arr_size", "array_size"])


def shapes(node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], skip: int = 0) -> list[Shape] | None:
    """What each positional parameter (after ``skip``) is probably meant to be; None where nobody can tell.

    ``functions`` are those that it may hand its parameters on to.
    """
    arguments = _likely_passed(node.args)[skip:]
    if node.args.kwonlyargs or node.args.kwarg or node.args.vararg or len(arguments) > 5:
        return None
    clues = {argument.arg: Clues() for argument in arguments}
    elements: dict[str, str] = {}
    compared: list[tuple[str, ast.expr]] = []
    nodes = loops_first(node)
    for inner in nodes:
        if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Name) and inner.value.id in clues:
            for target in inner.targets:
                if isinstance(target, ast.Name):
                    clues.setdefault(target.id, clues[inner.value.id])  # another name for the same value
    for inner in nodes:
        read(inner, clues, elements, compared)
        if isinstance(inner, ast.Call):
            read_handed_on(inner, node, functions, clues)
    read_keys(nodes, clues)
    if any(clues[argument.arg].record for argument in arguments):
        return None  # its keys are the caller's
    found = [_choose(argument, clues[argument.arg]) for argument in arguments]
    _settle(arguments, found, clues, compared)
    return found


def _likely_passed(signature: ast.arguments) -> list[ast.arg]:
    """The positional parameters up to a later one with a written-out default: ``memo={}``, ``count=0``.

    Nobody passes that one: it is there for the function's own calls. The first is passed all the same:
    ``def total(numbers=[])`` is how novices say that it is a list.
    """
    arguments = [*signature.posonlyargs, *signature.args]
    required = len(arguments) - len(signature.defaults)
    for place, default in enumerate(signature.defaults, required):
        if place and isinstance(default, (ast.Dict, ast.List, ast.Set, ast.Constant)):
            return arguments[:place]
    return arguments


_ANNOTATED: Final = {
    "int": Shape.NUMBER, "float": Shape.NUMBER, "str": Shape.TEXT, "bool": Shape.TRUTH, "list": Shape.NUMBERS,
    "List": Shape.NUMBERS, "dict": Shape.TABLE, "Dict": Shape.TABLE,
}  # fmt: skip


def _annotation(node: ast.expr | None) -> Shape | None:
    if isinstance(node, ast.Name):
        return _ANNOTATED.get(node.id)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in ("list", "List"):
        inner = node.slice
        if isinstance(inner, ast.Name):
            return Shape.WORDS if inner.id == "str" else Shape.NUMBERS
        return Shape.ROWS
    return None


def _choose(argument: ast.arg, clue: Clues) -> Shape:
    annotated = _annotation(argument.annotation)
    if clue.letter and annotated in (None, Shape.TEXT) and not clue.sequence + clue.list + clue.text + clue.table:
        return Shape.LETTER
    if annotated is not None:
        return annotated
    name = argument.arg.lower().rstrip("0123456789_") or argument.arg
    sequence = clue.sequence + clue.list + clue.text + clue.table
    if clue.called and not sequence + clue.number:
        return Shape.FUNCTION
    if clue.parts in (2, 3) and not clue.list + clue.text + clue.table:
        return Shape.POINT if clue.parts == 2 else Shape.TRIPLE
    if clue.table and clue.table >= clue.list + clue.text:
        return Shape.TABLE
    if sequence and sequence >= clue.number + clue.index:
        if clue.nested and not clue.text:
            grid = clue.grid or any(word in name for word in ("matrix", "grid", "board", "rows"))
            return Shape.ROWS if grid else Shape.PAIRS
        if clue.list:
            return Shape.NUMBERS
        if clue.text or name in _TEXT_NAMES:
            return Shape.TEXT
        if name in _TABLE_NAMES or "dict" in name:
            return Shape.TABLE
        if name in _LETTER_NAMES:
            return Shape.LETTER
        return Shape.NUMBERS
    if clue.number or clue.index:
        return Shape.NUMBER
    if name in _LETTER_NAMES:
        return Shape.LETTER
    if name in _TEXT_NAMES and argument.arg not in ("t",):
        return Shape.TEXT
    if name in _TABLE_NAMES and name != "d":
        return Shape.TABLE
    if name in _LIST_NAMES and len(argument.arg) > 1:
        return Shape.NUMBERS
    return Shape.VALUE


def _settle(
    arguments: list[ast.arg], found: list[Shape], clues: dict[str, Clues], compared: list[tuple[str, ast.expr]]
) -> None:
    """Parameters that go together: an index into the list beside it, a letter of the text beside it."""
    listed = any(shape in (Shape.NUMBERS, Shape.WORDS, Shape.PAIRS, Shape.TEXT) for shape in found)
    texts = any(shape is Shape.TEXT for shape in found)
    lists = any(shape in (Shape.NUMBERS, Shape.PAIRS) for shape in found)
    indexes = 0
    for place, (argument, shape) in enumerate(zip(arguments, found, strict=True)):
        name = argument.arg.lower().rstrip("0123456789_") or argument.arg
        if shape is Shape.VALUE and Shape.PAIRS in found:
            found[place] = _part_of_pair(argument.arg, compared)
        elif shape is Shape.VALUE and texts and not lists:
            found[place] = Shape.LETTER
        elif shape is Shape.NUMBER and listed:
            if name in _LENGTH_NAMES and place and found[place - 1] in (Shape.NUMBERS, Shape.PAIRS, Shape.LENGTH):
                found[place] = Shape.LENGTH
            elif name in _LAST_NAMES:
                found[place] = Shape.LAST_INDEX
            elif clues[argument.arg].index or name in _FIRST_NAMES:
                found[place] = Shape.LAST_INDEX if indexes else Shape.FIRST_INDEX
                indexes += 1
        elif shape is Shape.VALUE and not listed:
            found[place] = Shape.NUMBER
    _match(arguments, found, clues, compared)


def _match(
    arguments: list[ast.arg], found: list[Shape], clues: dict[str, Clues], compared: list[tuple[str, ast.expr]]
) -> None:
    """A parameter of which only the name tells something is like the one that it is compared with."""
    places = {argument.arg: place for place, argument in enumerate(arguments)}
    for name, other in compared:
        place, beside = places.get(name), places.get(other.id) if isinstance(other, ast.Name) else None
        if (
            place is not None
            and beside is not None
            and found[place] is Shape.LETTER
            and not any(vars(clues[name]).values())
        ):
            found[place] = found[beside]


def turns(found: list[Shape]) -> int:
    """How many rehearsals there are for such arguments."""
    if not found:
        return 1
    return COUNT + UNEVEN * (found.count(Shape.NUMBERS) > 1)


def _part_of_pair(name: str, compared: list[tuple[str, ast.expr]]) -> Shape:
    """Which element of a pair a parameter is compared with."""
    for other_name, other in compared:
        if other_name == name and isinstance(other, ast.Subscript) and isinstance(other.slice, ast.Constant):
            return Shape.PAIR_FIRST if other.slice.value == 0 else Shape.PAIR_LAST
    return Shape.PAIR_LAST


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
