"""What is known about a value before the program runs: which kinds it may be, and sometimes more.

An abstract domain in the sense of abstract interpretation (Cousot and Cousot, POPL 1977), small on purpose: a set of
kinds as bits; a constant where there is exactly one; what a container holds and how long it is, kept apart in the
state's heap because lists change under every name that they have; and where a whole number came from a length.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

UNBOUND: Final = 1 << 0
"""The name may have no value here."""
ZERO_TRIP: Final = 1 << 1
"""As UNBOUND, but only if a loop before ran no iteration."""
NONE: Final = 1 << 2
BOOL: Final = 1 << 3
INT: Final = 1 << 4
FLOAT: Final = 1 << 5
COMPLEX: Final = 1 << 6
STR: Final = 1 << 7
BYTES: Final = 1 << 8
LIST: Final = 1 << 9
TUPLE: Final = 1 << 10
DICT: Final = 1 << 11
SET: Final = 1 << 12
RANGE: Final = 1 << 13
ITERATOR: Final = 1 << 14
"""Generators, ``map``, ``zip``, ``enumerate`` …: iterable, nothing more."""
VIEW: Final = 1 << 15
"""``dict.keys()`` and its kin: iterable and sized, without index."""
FUNCTION: Final = 1 << 16
BUILTIN: Final = 1 << 17
CLASS: Final = 1 << 18
MODULE: Final = 1 << 19
INSTANCE: Final = 1 << 20
"""An instance of a class of the program."""
OTHER: Final = 1 << 21
"""Anything else; it may support every operation."""

MAYBE_UNBOUND: Final = UNBOUND | ZERO_TRIP
ANY: Final = (1 << 22) - 1 - MAYBE_UNBOUND
NUMBER: Final = BOOL | INT | FLOAT
SEQUENCE: Final = STR | BYTES | LIST | TUPLE | RANGE
ITERABLE: Final = SEQUENCE | DICT | SET | ITERATOR | VIEW
MUTABLE: Final = LIST | DICT | SET

KIND_NAMES: Final = {
    NONE: "None", BOOL: "bool", INT: "int", FLOAT: "float", COMPLEX: "complex", STR: "str", BYTES: "bytes",
    LIST: "list", TUPLE: "tuple", DICT: "dict", SET: "set", RANGE: "range", ITERATOR: "iterator", VIEW: "dict view",
    FUNCTION: "function", BUILTIN: "built-in function", CLASS: "type", MODULE: "module", INSTANCE: "object",
    OTHER: "object",
}  # fmt: skip

_OF_TYPE: Final[dict[type, int]] = {
    type(None): NONE, bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR, bytes: BYTES,
    list: LIST, tuple: TUPLE, dict: DICT, set: SET, range: RANGE,
}  # fmt: skip


class Missing:
    """The type of the mark for "no constant known"."""


MISSING: Final = Missing()


class Length(NamedTuple):
    """A whole number that is a length: ``len(x) + offset`` for the value called ``origin``."""

    origin: int
    offset: int
    exact: bool
    """Always that number; else only the largest one that a loop reaches."""


class Value:
    """Everything known about one value. Never changed once made; a plain class, as thousands are made a second."""

    __slots__ = ("const", "elem", "length", "mask", "object", "origin", "ref")

    def __init__(
        self,
        mask: int,
        const: Any = MISSING,
        object: int | None = None,
        elem: Value | None = None,
        length: Length | None = None,
        ref: Any = None,
        origin: int = 0,
    ) -> None:
        self.mask = mask
        self.const = const
        """The one value it can be, or ``MISSING``; only None, bool, int, float, str, bytes and tuples of such."""
        self.object = object
        """The key in the heap of a list, dict or set made by this program."""
        self.elem = elem
        """What an iterator, range, view or tuple yields; None: unknown."""
        self.length = length
        self.ref = ref
        """The function, class, module or bound method that this is."""
        self.origin = origin
        """The same number means the same value, whatever it is; 0 where nobody asked."""

    def with_mask(self, mask: int) -> Value:
        """The same value, known to be one of fewer kinds."""
        if mask == self.mask:
            return self
        return Value(mask, self.const, self.object, self.elem, self.length, self.ref, self.origin)

    @property
    def bound(self) -> Value:
        """The same value once it has been read: it was bound."""
        return self.with_mask(self.mask & ~MAYBE_UNBOUND) if self.mask & MAYBE_UNBOUND else self


def kind(mask: int, elem: Value | None = None, ref: Any = None) -> Value:
    """A value of which only the kinds are known."""
    return Value(mask, MISSING, None, elem, None, ref, 0)


def constant(value: Any) -> Value:
    """A value known exactly."""
    return Value(_OF_TYPE.get(type(value), OTHER), value, None, None, None, None, 0)


def is_constant(value: Value) -> bool:
    """Whether there is just one value that it can be."""
    return value.const is not MISSING


TOP: Final = kind(ANY)
MISSING_NAME: Final = kind(UNBOUND)
NONE_VALUE: Final = constant(None)
INT_VALUE: Final = kind(INT)
FLOAT_VALUE: Final = kind(FLOAT)
STR_VALUE: Final = kind(STR)
BOOL_VALUE: Final = kind(BOOL)
BYTES_VALUE: Final = kind(BYTES)


def join(left: Value, right: Value) -> Value:
    """What is known when it is one or the other."""
    if left is right:
        return left
    if not left.mask & ~MAYBE_UNBOUND:
        return right.with_mask(right.mask | left.mask)
    if not right.mask & ~MAYBE_UNBOUND:
        return left.with_mask(left.mask | right.mask)
    const = left.const if _same_constant(left.const, right.const) else MISSING
    elem = left.elem if left.elem is right.elem else None
    if left.elem is not None and right.elem is not None:
        elem = join(left.elem, right.elem)
    return Value(
        left.mask | right.mask,
        const,
        left.object if left.object == right.object else None,
        elem,
        left.length if left.length == right.length else None,
        left.ref if left.ref is right.ref else None,
        left.origin if left.origin == right.origin else 0,
    )


def _same_constant(left: Any, right: Any) -> bool:
    if left is MISSING or right is MISSING:
        return False
    return left is right or (type(left) is type(right) and not isinstance(left, (float, tuple)) and bool(left == right))


def everyday(mask: int) -> bool:
    """Whether some of these kinds are those of novices' values.

    Where only others are left, as after ``queue.appendleft(1)``, it is an object of some library, which knows what may
    be done with it.
    """
    return bool(mask & (NONE | NUMBER | COMPLEX | SEQUENCE | MUTABLE | BUILTIN))


def describe(mask: int) -> str:
    """The kinds of ``mask`` by their Python names, for a message: "int or str"."""
    names = list(dict.fromkeys(name for bit, name in KIND_NAMES.items() if mask & bit))
    return " or ".join(names) if len(names) <= 3 else "object"


@dataclass(frozen=True, eq=False)
class FunctionRef:
    """A function of the program, with the frames that its free names live in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    frames: tuple[tuple[int, Any], ...]
    """(frame, scope) pairs, innermost first."""
    defaults: tuple[Value, ...]
    keyword_defaults: tuple[Value | None, ...]
    decorated: bool
    self_value: Value | None = None
    """The object a bound method belongs to."""


@dataclass(frozen=True, eq=False)
class BuiltinRef:
    """A built-in function or class: ``len``, ``int``."""

    name: str


@dataclass(frozen=True, eq=False)
class MethodRef:
    """A method of a built-in type, bound to a value: ``items.append``."""

    owner: Value
    name: str


@dataclass(frozen=True, eq=False)
class ModuleRef:
    """An imported module."""

    name: str


@dataclass(frozen=True, eq=False)
class ModuleMember:
    """Something of an imported module: ``math.sqrt``."""

    module: str
    name: str


@dataclass(frozen=True, eq=False)
class ClassRef:
    """A class of the program."""

    node: ast.ClassDef
    members: dict[str, Value]
    known: bool
    """All attributes can be known: no foreign base class, no decorator, no ``__getattr__``."""
    attributes: frozenset[str]
    """Names that instances may have beside ``members``."""


@dataclass(frozen=True)
class Contents:
    """What a list, dict or set of the program holds at some point."""

    elem: Value | None
    """A value like every element (for a dict: every value); None when empty."""
    shortest: int
    longest: int | None
    """The length's bounds; None: no upper bound known."""
    items: tuple[Value, ...] | None = None
    """The elements in order, while all are known (lists)."""
    keys: frozenset[Any] | None = None
    """The keys that may be there, while all possible ones are known (dicts)."""


UNKNOWN_CONTENTS: Final = Contents(TOP, 0, None)


def join_contents(left: Contents, right: Contents) -> Contents:
    """What a container may hold when it is one or the other."""
    if left is right:
        return left
    if left is UNKNOWN_CONTENTS or right is UNKNOWN_CONTENTS:
        return UNKNOWN_CONTENTS
    elem = left.elem or right.elem
    if left.elem is not None and right.elem is not None:
        elem = join(left.elem, right.elem)
    longest = None if left.longest is None or right.longest is None else max(left.longest, right.longest)
    keys = None if left.keys is None or right.keys is None else left.keys | right.keys
    return Contents(elem, min(left.shortest, right.shortest), longest, None, keys)
