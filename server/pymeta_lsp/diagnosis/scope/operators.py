"""Which operators work between which kinds of values: found out by asking this very interpreter.

One specimen of each kind is put through every operator once, so the tables are Python's own, not a copy of its manual.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from .values import (
    ANY,
    BOOL,
    BUILTIN,
    BYTES,
    CLASS,
    COMPLEX,
    DICT,
    FLOAT,
    FUNCTION,
    INSTANCE,
    INT,
    ITERABLE,
    ITERATOR,
    LIST,
    MODULE,
    NONE,
    OTHER,
    RANGE,
    SET,
    STR,
    TUPLE,
    VIEW,
)


def _specimen_function() -> None: ...


_SPECIMENS: Final[dict[int, Any]] = {
    NONE: None, BOOL: True, INT: 3, FLOAT: 1.5, COMPLEX: 1j, STR: "a", BYTES: b"a", LIST: [1], TUPLE: (1,),
    DICT: {1: 1}, SET: {1}, RANGE: range(2), ITERATOR: iter(()), VIEW: {1: 1}.keys(), FUNCTION: _specimen_function,
    BUILTIN: len, CLASS: int, MODULE: ast, INSTANCE: object(),
}  # fmt: skip
_RESULTS: Final[dict[type, int]] = {type(value): kind for kind, value in _SPECIMENS.items()}

BINARY: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}  # fmt: skip
COMPARISONS: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.In: lambda item, container: item in container, ast.NotIn: lambda item, container: item not in container,
}  # fmt: skip
UNARY: Final[dict[type, Callable[[Any], Any]]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_,
}  # fmt: skip
SYMBOLS: Final[dict[type, str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in", ast.USub: "-",
    ast.UAdd: "+", ast.Invert: "~",
}  # fmt: skip


class Outcome(NamedTuple):
    """What an operator does to kinds."""

    result: int
    """The kinds that it may give; 0: it always raises ``TypeError``."""
    left: int
    """The kinds of the left operand for which it may work."""
    right: int


def bits(mask: int) -> list[int]:
    """The single kinds in ``mask``."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low)
        mask ^= low
    return found


@cache
def _pair(operator_type: type, left: int, right: int) -> int:
    if OTHER in (left, right):
        return ANY
    if operator_type is ast.Mod and left in (STR, BYTES):
        return left
    if VIEW in (left, right) and operator_type in (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub):
        return SET | OTHER
    if operator_type is ast.Pow and left in (BOOL, INT) and right in (BOOL, INT):
        return INT | FLOAT
    if operator_type is ast.Pow and FLOAT in (left, right) and not (left | right) & ~(BOOL | INT | FLOAT):
        return FLOAT | COMPLEX
    if operator_type in (ast.In, ast.NotIn):
        return _contains(left, right)
    function = BINARY.get(operator_type) or COMPARISONS[operator_type]
    try:
        result = function(_SPECIMENS[left], _SPECIMENS[right])
    except TypeError:
        return 0
    if operator_type in COMPARISONS:
        return BOOL
    return _RESULTS.get(type(result), OTHER)


def _contains(item: int, container: int) -> int:
    if container == STR:
        return BOOL if item == STR else 0
    if container == BYTES:
        return BOOL if item in (BYTES, INT, BOOL) else 0
    if container in (DICT, SET):
        return 0 if item in (LIST, DICT, SET) else BOOL
    return BOOL if container & ITERABLE else 0


@lru_cache(maxsize=4096)
def outcome(operator_type: type, left: int, right: int) -> Outcome:
    """What ``left <operator> right`` gives for operands of these kinds."""
    result = fits_left = fits_right = 0
    for left_kind in bits(left):
        for right_kind in bits(right):
            given = _pair(operator_type, left_kind, right_kind)
            if given:
                result |= given
                fits_left |= left_kind
                fits_right |= right_kind
    return Outcome(result, fits_left, fits_right)


@lru_cache(maxsize=1024)
def unary_outcome(operator_type: type, operand: int) -> Outcome:
    """What ``<operator> operand`` gives."""
    if operator_type is ast.Not:
        return Outcome(BOOL, operand, 0)
    result = fits = 0
    for kind in bits(operand):
        if kind == OTHER:
            given = ANY
        elif kind == BOOL:
            given = INT
        else:
            try:
                given = _RESULTS.get(type(UNARY[operator_type](_SPECIMENS[kind])), OTHER)
            except TypeError:
                continue
        result |= given
        fits |= kind
    return Outcome(result, fits, 0)


@lru_cache(maxsize=1024)
def kinds_with_attribute(name: str) -> int:
    """The kinds whose values have an attribute called ``name``; kinds that only the program knows are not asked."""
    found = 0
    for kind, specimen in _SPECIMENS.items():
        if kind in (FUNCTION, CLASS, MODULE, INSTANCE, ITERATOR, VIEW, BUILTIN):
            continue
        if hasattr(specimen, name):
            found |= kind
    return found


_LARGEST_BITS: Final = 256
_LONGEST: Final = 2000


def small(value: Any) -> bool:
    """Whether a constant is small enough to compute with."""
    if isinstance(value, int):
        return value.bit_length() <= _LARGEST_BITS
    if isinstance(value, (str, bytes, tuple)):
        return len(value) <= _LONGEST
    return value is None or isinstance(value, (float, complex))


def fold(operator_type: type, left: Any, right: Any) -> Any:
    """``left <operator> right`` for small constants; raises what Python raises, and ``OverflowError`` when too large."""
    if operator_type is ast.Pow and isinstance(right, int) and (right > 64 or right < -64):
        raise TooLargeError
    if operator_type is ast.LShift and isinstance(right, int) and right > 64:
        raise TooLargeError
    if (
        operator_type is ast.Mult
        and isinstance(left, (str, bytes, tuple, int))
        and isinstance(right, (str, bytes, tuple, int))
    ):
        sizes = [
            len(value) if isinstance(value, (str, bytes, tuple)) else min(abs(value), _LONGEST + 1)
            for value in (left, right)
        ]
        sequence = not (isinstance(left, int) and isinstance(right, int))
        if sequence and sizes[0] * sizes[1] > _LONGEST:
            raise TooLargeError
    if operator_type is ast.Mod and isinstance(left, (str, bytes)) and any(mark in str(left) for mark in "*0123456789"):
        raise TooLargeError
    result = (BINARY.get(operator_type) or COMPARISONS[operator_type])(left, right)
    if not small(result):
        raise TooLargeError
    return result


class TooLargeError(Exception):
    """The constant would be too large to be worth computing."""


def specimen(kind: int) -> Any:
    """The value that stands for a kind in the tables."""
    return _SPECIMENS.get(kind)
