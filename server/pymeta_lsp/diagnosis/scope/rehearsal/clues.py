"""What a function does with its parameters: clues to what they are meant to be."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

_LIST_METHODS: Final = frozenset(["append", "pop", "sort", "insert", "remove", "extend", "reverse"])


_TAKES_ITERABLE: Final = frozenset(
    [
        "len",
        "sorted",
        "min",
        "max",
        "sum",
        "list",
        "tuple",
        "enumerate",
        "reversed",
        "set",
        "map",
        "filter",
        "zip",
        "any",
        "all",
        "iter",
    ]
)
_METHODS_TAKING_ITERABLE: Final = frozenset(["join", "extend", "union", "intersection", "difference"])


_TEXT_METHODS: Final = frozenset(name for name in dir(str) if not name.startswith("_") and not hasattr(list, name))


_TABLE_METHODS: Final = frozenset(["items", "keys", "values", "get", "setdefault", "update"])


class Clues:
    """What a function does with one of its parameters."""

    def __init__(self) -> None:
        self.sequence = 0
        self.list = 0
        self.text = 0
        self.table = 0
        self.number = 0
        self.index = 0
        self.nested = 0
        self.grid = 0
        """It is indexed twice, the second time by what is worked out: ``board[i][j]``."""
        self.parts = 0
        """Into how many names it is taken apart: ``x, y = point``."""
        self.inner = 0
        """Its elements are gone through in turn: they are lists, or texts."""
        self.called = 0
        self.letter = 0
        self.record = 0
        """It, or each of its elements, is asked for a key that is written out: ``person["name"]``."""

    def add(self, other: Clues) -> None:
        """Count the clues of ``other`` too."""
        for name, count in vars(other).items():
            setattr(self, name, getattr(self, name) + count)


def loops_first(node: ast.AST) -> list[ast.AST]:
    """All nodes, those before the others that say which names stand for elements."""
    return sorted(ast.walk(node), key=lambda inner: not isinstance(inner, (ast.For, ast.comprehension)))


def read(
    node: ast.AST, clues: dict[str, Clues], elements: dict[str, str], compared: list[tuple[str, ast.expr]]
) -> None:
    """Count what one node shows of the parameters in ``clues``."""
    if isinstance(node, ast.Call):
        _read_call(node, clues, elements)
    elif isinstance(node, ast.Subscript):
        _read_subscript(node, clues, elements)
    elif isinstance(node, (ast.For, ast.comprehension)):
        _read_loop(node.target, node.iter, clues, elements)
    elif isinstance(node, ast.BinOp):
        _read_operator(node, clues)
    elif isinstance(node, ast.Compare):
        _read_comparison(node, clues, elements, compared)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        clue = _named(node.value, clues)
        if clue is not None:
            clue.parts = len(node.targets[0].elts)
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id in clues:
        clues[node.target.id].number += isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)


def _read_loop(target: ast.expr, source: ast.expr, clues: dict[str, Clues], elements: dict[str, str]) -> None:
    """What is gone through, and which names stand for its elements."""
    if isinstance(source, ast.Name) and source.id in clues:
        clues[source.id].sequence += 1
        if isinstance(target, ast.Name):
            elements[target.id] = source.id
        else:
            clues[source.id].nested += 1
    elif isinstance(source, ast.Name) and source.id in elements:
        clues[elements[source.id]].inner += 1
    elif isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "zip":
        parts = target.elts if isinstance(target, ast.Tuple) else []
        for part, argument in zip(parts, source.args, strict=False):
            if isinstance(part, ast.Name) and isinstance(argument, ast.Name) and argument.id in clues:
                elements[part.id] = argument.id


_SURELY_TABLE: Final = 4
"""What asking for a key tells, beside the weaker clues of indexing and going through."""


def read_keys(nodes: list[ast.AST], clues: dict[str, Clues]) -> None:
    """``if key in p: … p[key]``, and ``p[key]`` where a missing key is caught: ``p`` is a table.

    Not where ``key`` is a parameter too: ``if letter in word: return word[letter]`` is how novices err.
    """
    asked, picked, caught = set(), set(), set()
    for node in nodes:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            key, holder = node.left, node.comparators[0]
            if isinstance(key, ast.Name) and isinstance(holder, ast.Name) and key.id not in clues:
                asked.add((key.id, holder.id))
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Name):
            picked.add((node.slice.id, node.value.id))
        elif isinstance(node, ast.Try) and any(_catches_key(handler) for handler in node.handlers):
            for inner in ast.walk(ast.Module(node.body, [])):
                if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name):
                    caught.add(inner.value.id)
    for name in {name for _, name in asked & picked} | caught:
        if name in clues:
            clues[name].table += _SURELY_TABLE


def _catches_key(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.type, ast.Name) and handler.type.id == "KeyError"


def read_handed_on(
    call: ast.Call, node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], clues: dict[str, Clues]
) -> None:
    """A parameter handed on to another function is meant to be what that function makes of it."""
    other = functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
    if other is None or other is node:
        return
    places = [argument.arg for argument in (*other.args.posonlyargs, *other.args.args)]
    inner_clues = {name: Clues() for name in places}
    elements: dict[str, str] = {}
    for inner in loops_first(other):
        read(inner, inner_clues, elements, [])
    for argument, name in zip(call.args, places, strict=False):
        clue = _named(argument, clues)
        if clue is not None:
            clue.add(inner_clues[name])


def _named(node: ast.AST, clues: dict[str, Clues]) -> Clues | None:
    return clues.get(node.id) if isinstance(node, ast.Name) else None


def _read_call(node: ast.Call, clues: dict[str, Clues], elements: dict[str, str]) -> None:
    if isinstance(node.func, ast.Attribute):
        clue = _named(node.func.value, clues)
        if clue is not None:
            name = node.func.attr
            clue.list += 2 * (name in _LIST_METHODS)
            clue.text += 2 * (name in _TEXT_METHODS)
            clue.table += 2 * (name in _TABLE_METHODS)
            clue.sequence += name in ("index", "count")
        if node.func.attr in _METHODS_TAKING_ITERABLE:
            for argument in node.args:
                _read_iterated(argument, clues)
    elif isinstance(node.func, ast.Name):
        clue = clues.get(node.func.id)
        if clue is not None:
            clue.called += 1
        _read_mapped(node, clues)
        alone = len(node.args) == 1 or node.func.id not in ("min", "max")
        for argument in node.args:
            if isinstance(argument, ast.Starred) and node.func.id == "zip":
                spread = _named(argument.value, clues)
                if spread is not None:
                    spread.sequence += 1
                    spread.nested += 1
            if alone and node.func.id in _TAKES_ITERABLE:
                _read_iterated(argument, clues)
                if isinstance(argument, ast.Name) and argument.id in elements and node.func.id == "zip":
                    clues[elements[argument.id]].nested += 1
            if node.func.id == "sum" and isinstance(argument, ast.Name) and argument.id in elements:
                clues[elements[argument.id]].nested += 1
                clues[elements[argument.id]].grid += 1
            sliced = isinstance(argument, ast.Subscript) and isinstance(argument.slice, ast.Slice)
            if node.func.id == "ord" or (node.func.id in ("int", "float") and sliced):
                _read_letter(argument, clues, elements)
            clue = _named(argument, clues)
            if clue is not None:
                clue.number += node.func.id in ("range", "abs", "round", "float")


def _read_letter(argument: ast.expr, clues: dict[str, Clues], elements: dict[str, str]) -> None:
    """``ord(c)``: a letter; ``ord(s[i])``, ``int(s[:2])``, or of an element: what it is taken from is a text."""
    clue = _named(argument, clues)
    if clue is not None:
        clue.letter += 1
    elif isinstance(argument, ast.Name) and argument.id in elements:
        clues[elements[argument.id]].text += 1
    elif isinstance(argument, ast.Subscript) and isinstance(argument.value, ast.Name) and argument.value.id in clues:
        clues[argument.value.id].text += 1


def _read_iterated(argument: ast.expr, clues: dict[str, Clues]) -> None:
    """What is gone through is a sequence; so are both parts of a sum that is gone through."""
    if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add):
        _read_iterated(argument.left, clues)
        _read_iterated(argument.right, clues)
    else:
        clue = _named(argument, clues)
        if clue is not None:
            clue.sequence += 1


def _read_mapped(node: ast.Call, clues: dict[str, Clues]) -> None:
    """``map(lambda x: x[0], p)``: the elements of ``p`` have elements."""
    if len(node.args) != 2 or not isinstance(node.args[0], ast.Lambda) or not node.args[0].args.args:
        return
    clue = _named(node.args[1], clues)
    element = node.args[0].args.args[0].arg
    if clue is not None:
        for inner in ast.walk(node.args[0].body):
            if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name) and inner.value.id == element:
                clue.nested += 1


def _read_subscript(node: ast.Subscript, clues: dict[str, Clues], elements: dict[str, str]) -> None:
    clue = _named(node.value, clues)
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        holder = clue
        if holder is None and isinstance(node.value, ast.Name) and node.value.id in elements:
            holder = clues[elements[node.value.id]]
        if holder is not None:
            holder.record += 1
        return
    if clue is not None:
        clue.sequence += 1
    elif isinstance(node.value, ast.Name) and node.value.id in elements:
        clues[elements[node.value.id]].nested += 1
    elif isinstance(node.value, ast.Subscript):
        outer = _named(node.value.value, clues)
        if outer is not None and not isinstance(node.value.slice, ast.Slice):
            outer.nested += 1
            outer.grid += not isinstance(node.slice, (ast.Constant, ast.Slice))
    bounds = [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else [node.slice]
    for bound in bounds:
        for part in ast.walk(bound) if bound is not None else ():
            index = _named(part, clues)
            if index is not None:
                index.index += 1


def _read_operator(node: ast.BinOp, clues: dict[str, Clues]) -> None:
    for side, other in ((node.left, node.right), (node.right, node.left)):
        clue = _named(side, clues)
        if clue is None:
            continue
        if isinstance(other, ast.Constant):
            clue.number += isinstance(other.value, (int, float))
            clue.text += isinstance(other.value, str) and isinstance(node.op, ast.Add)
        elif isinstance(other, ast.List) and isinstance(node.op, ast.Mult):
            clue.number += 1  # how often
        elif isinstance(other, ast.List):
            clue.list += 1
        elif not isinstance(node.op, (ast.Add, ast.Mod)):
            clue.number += 1


def _read_comparison(
    node: ast.Compare, clues: dict[str, Clues], elements: dict[str, str], compared: list[tuple[str, ast.expr]]
) -> None:
    sides = [node.left, *node.comparators]
    for left, kind, right in zip(sides, node.ops, sides[1:], strict=False):
        if isinstance(kind, (ast.In, ast.NotIn)):
            clue = _named(right, clues)
            if clue is not None:
                clue.sequence += 1
            elif isinstance(right, ast.Name) and right.id in elements:
                clues[elements[right.id]].nested += 1
            continue
        for side, other in ((left, right), (right, left)):
            clue = _named(side, clues)
            if clue is None:
                continue
            if isinstance(other, ast.Constant):
                clue.number += isinstance(other.value, (int, float)) and not isinstance(other.value, bool)
                clue.text += isinstance(other.value, str)
            elif isinstance(other, ast.List):
                clue.sequence += 1
            elif isinstance(other, ast.Call) and isinstance(other.func, ast.Name) and other.func.id == "len":
                clue.number += 1
            elif isinstance(side, ast.Name):
                compared.append((side.id, other))
