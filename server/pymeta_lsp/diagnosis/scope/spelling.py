"""What a student may have meant by a name that nothing binds."""

from __future__ import annotations

import ast
import difflib
import keyword
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from .engine import Engine


class Advice(NamedTuple):
    """How to speak of an undefined name."""

    key: str
    suggestion: str = ""
    certain: bool = False
    """Putting the suggestion in its place is sure to be right."""
    bound_at: ast.AST | None = None
    """Where the suggestion gets its value."""


_CONSTANTS: Final = {"true": "True", "false": "False", "none": "None", "null": "None", "nil": "None"}
_PYTHON_2: Final = {
    "raw_input": "input", "xrange": "range", "unicode": "str", "basestring": "str", "long": "int", "unichr": "chr",
}  # fmt: skip
_OLD_OR_FOREIGN: Final = {
    "reduce": "functools.reduce", "cmp": "(a > b) - (a < b)", "reload": "importlib.reload", "execfile": "exec",
    "println": "print", "printf": "print", "console": "print", "strlen": "len", "length": "len", "lenght": "len", "size": "len",
    "parseInt": "int", "this": "self",
}  # fmt: skip
_KEYWORDS_MISSED: Final = {"elseif": "elif", "elsif": "elif", "switch": "match", "function": "def", "foreach": "for"}
_MODULE_OF: Final = {
    "sqrt": "math", "ceil": "math", "floor": "math", "pi": "math", "sin": "math", "cos": "math", "factorial": "math",
    "gcd": "math", "log": "math", "randint": "random", "choice": "random", "shuffle": "random", "deque": "collections",
    "Counter": "collections", "defaultdict": "collections", "OrderedDict": "collections", "namedtuple": "collections",
    "sleep": "time", "heappush": "heapq", "heappop": "heapq", "heapify": "heapq", "bisect_left": "bisect",
    "bisect_right": "bisect", "permutations": "itertools", "combinations": "itertools", "product": "itertools",
    "accumulate": "itertools", "lru_cache": "functools", "cache": "functools", "List": "typing", "Dict": "typing",
    "Optional": "typing", "Tuple": "typing", "Set": "typing", "Union": "typing", "Any": "typing", "deepcopy": "copy",
    "dataclass": "dataclasses", "Decimal": "decimal", "Fraction": "fractions", "ascii_lowercase": "string",
    "ascii_uppercase": "string", "inf": "math", "uniform": "random", "argv": "sys", "stdin": "sys",
}  # fmt: skip


def advise(name: str, visible: Mapping[str, ast.AST | None], engine: Engine, *, as_module: bool) -> Advice:
    """The likeliest reason why ``name`` is not defined, and what to write in its place.

    ``as_module``: an attribute of it is read, as of a module.
    """
    folded = name.lower()
    if folded in _CONSTANTS and name not in visible:
        return Advice("constant-spelling", _CONSTANTS[folded], certain=folded != "nil")
    same_but_case = [known for known in visible if known.lower() == folded]
    if len(same_but_case) == 1:
        return Advice("wrong-case", same_but_case[0], True, visible[same_but_case[0]])
    if name in _PYTHON_2:
        return Advice("python-2-name", _PYTHON_2[name], True)
    if _is_member(engine, name):
        return Advice("forgotten-self", f"self.{name}")
    if name in sys.stdlib_module_names and as_module:
        return Advice("missing-import", name)
    near = closest(name, visible)
    if near is not None and len(name) > 2:
        return Advice("misspelt-name", near.name, near.alone, visible[near.name])
    if name in _OLD_OR_FOREIGN:
        return Advice("foreign-name", _OLD_OR_FOREIGN[name])
    if name in _MODULE_OF:
        return Advice("missing-from-import", f"from {_MODULE_OF[name]} import {name}")
    if name in _KEYWORDS_MISSED:
        return Advice("foreign-keyword", _KEYWORDS_MISSED[name])
    if near is not None:
        return Advice("misspelt-name", near.name, False, visible[near.name])
    for word in keyword.kwlist:
        if word.lower() == folded and word != name:
            return Advice("wrong-case", word)
    return Advice("undefined-name")


def _is_member(engine: Engine, name: str) -> bool:
    """Read in a method: is it a name that only ``self.`` leads to?"""
    scope = engine.frame.scope
    outer = scope.parent
    if outer is None or outer.kind != "class":
        return False
    return name in outer.bindings or name in engine.symbols.attributes


class Near(NamedTuple):
    """A name spelt almost alike."""

    name: str
    alone: bool
    """No other name comes close."""


def closest(name: str, visible: Mapping[str, ast.AST | None]) -> Near | None:
    """The visible name nearest to ``name``: one slip of the fingers, or much alike."""
    candidates = []
    for known, place in visible.items():
        distance = slips(name, known)
        limit = 1 if len(name) <= 4 else 2
        if distance <= limit and distance < len(name) and (place is not None or len(known) > 2):
            candidates.append((distance, place is None, known))
    if not candidates:
        longer = difflib.get_close_matches(
            name, [known for known, place in visible.items() if place is not None], 2, 0.75
        )
        return Near(longer[0], False) if longer else None
    candidates.sort()
    best = candidates[0]
    alone = len(candidates) == 1 or candidates[1][0] > best[0]
    return Near(best[2], alone and best[0] == 1 and len(name) > 2 and len(best[2]) > 2)


def slips(left: str, right: str, most: int = 2) -> int:
    """How many slips lead from one spelling to the other: a letter too many, missing, wrong, or two swapped.

    The optimal string alignment distance (Damerau 1964 counted 80% of misspellings as one such slip). More than
    ``most`` is reported as ``most + 1``.
    """
    if abs(len(left) - len(right)) > most or len(set(left) ^ set(right)) > 2 * most:
        return most + 1
    before: list[int] = []
    last = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        current = [row]
        for column, other in enumerate(right, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > most:
            return most + 1
        before, last = last, current
    return min(last[-1], most + 1)


_KNOWN_MODULES: Final = (
    "math", "random", "time", "datetime", "itertools", "collections", "functools", "string", "statistics", "operator",
    "turtle", "tkinter", "pandas", "matplotlib", "requests", "pygame", "copy", "heapq", "fractions", "decimal", "json",
)  # fmt: skip


_NEIGHBOURS: Final = frozenset(["bson", "cupy", "grequests", "hjson", "jsons", "pyjson", "ujson"])
"""Modules that anyone may install whose names look like slips."""


def misspelt_module(name: str) -> str | None:
    """The well-known module meant by the name of one that surely does not exist."""
    if name.partition(".")[0] in _NEIGHBOURS:
        return None
    if name in sys.stdlib_module_names or name in _KNOWN_MODULES or len(name) < 4:
        return None
    for known in _KNOWN_MODULES:
        if name.lower() == known or (len(known) > 3 and slips(name, known) == 1):
            return known
    return None
