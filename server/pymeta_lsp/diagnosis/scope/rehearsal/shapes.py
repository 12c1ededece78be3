"""What a function is meant to get: what it does with a parameter, and the parameter's name, tell."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from .clues import Clues, loops_first, read, read_handed_on, read_keys
from .samples import Shape

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


def _part_of_pair(name: str, compared: list[tuple[str, ast.expr]]) -> Shape:
    """Which element of a pair a parameter is compared with."""
    for other_name, other in compared:
        if other_name == name and isinstance(other, ast.Subscript) and isinstance(other.slice, ast.Constant):
            return Shape.PAIR_FIRST if other.slice.value == 0 else Shape.PAIR_LAST
    return Shape.PAIR_LAST
