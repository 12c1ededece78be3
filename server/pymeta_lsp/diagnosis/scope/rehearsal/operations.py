"""Operators as closures, with guards against results that would be too large."""

from __future__ import annotations

import ast
import collections
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from . import library
from .limits import LONGEST, MOST_BITS, MOST_TOUCHED, SCALARS, VIEWS, UnknownError, sized, weigh
from .marks import mark, unknown
from .objects import Frame, Opaque

if TYPE_CHECKING:
    from .machine import Evaluate, Machine


def _add(left: Any, right: Any) -> Any:
    kind = type(left)
    if kind is int:
        return sized(left + right)
    if kind in _JOINED and type(right) is kind and len(left) + len(right) > LONGEST:
        raise UnknownError
    return left + right


_JOINED: Final = frozenset({str, list, tuple, bytes, collections.deque, collections.Counter})
_UNITED: Final[tuple[Any, ...]] = (set, frozenset, dict, *VIEWS)


def _growing(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """For sets and dictionaries, of which ``function`` makes a larger one."""

    def call(left: Any, right: Any) -> Any:
        if isinstance(left, _UNITED) and isinstance(right, _UNITED) and len(left) + len(right) > LONGEST:
            raise UnknownError
        return function(left, right)

    return call


def _multiply(left: Any, right: Any) -> Any:
    for some, other in ((left, right), (right, left)):
        if isinstance(other, int):
            if isinstance(some, int):
                if some.bit_length() + other.bit_length() > MOST_BITS:
                    raise UnknownError
            elif isinstance(some, (str, list, tuple, bytes, collections.deque)) and len(some) * other > LONGEST:
                raise UnknownError
    return left * right


def _shift(left: Any, right: Any) -> Any:
    if isinstance(right, int) and right > 200:
        raise UnknownError
    return sized(left << right)


BINARY: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Add: _add, ast.Sub: operator.sub, ast.Mult: _multiply, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: library.percent, ast.Pow: library.power, ast.LShift: _shift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: _growing(operator.or_),
    ast.BitXor: _growing(operator.xor),
}  # fmt: skip


_COMPARISONS: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: lambda left, right: _same(left, right),
    ast.IsNot: lambda left, right: not _same(left, right),
    ast.In: library.contains, ast.NotIn: lambda item, container: not library.contains(item, container),
}  # fmt: skip


_UNARY: Final[dict[type, Callable[[Any], Any]]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_,
}  # fmt: skip


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, Opaque) or isinstance(right, Opaque):
        raise UnknownError
    return left is right


def work(value: Any) -> int:
    """What going through ``value`` once costs, in statements. Raises ``UnknownError`` where it holds too much."""
    kind = type(value)
    if kind in SCALARS:
        return len(value) >> 5 if kind is str else 0
    return weigh(value, MOST_TOUCHED) >> 5


def _comparing(kind: ast.cmpop, left: Any, right: Any) -> int:
    """What ``left kind right`` costs, in statements."""
    if type(left) in SCALARS and type(right) in SCALARS:
        return len(right) >> 5 if type(right) is str else 0
    if isinstance(kind, (ast.Is, ast.IsNot)):
        return 0
    if not isinstance(kind, (ast.In, ast.NotIn)):
        return min(work(left), work(right))
    each = weigh(left)
    if isinstance(right, (list, tuple, collections.deque)):
        return each * len(right) >> 5
    return len(right) >> 5 if isinstance(right, (str, dict, set, frozenset)) else 0


def binary(machine: Machine, node: ast.BinOp) -> Evaluate:
    """``left + right`` and its kin."""
    left, right = machine.expression(node.left), machine.expression(node.right)
    function = BINARY.get(type(node.op))
    if function is None:
        return unknown

    def evaluate(frame: Frame) -> Any:
        first, second = left(frame), right(frame)
        try:
            return function(first, second)
        except Exception as error:
            mark(error, node, first, second)
            raise

    return evaluate


def unary(machine: Machine, node: ast.UnaryOp) -> Evaluate:
    """``-value`` and its kin."""
    operand = machine.expression(node.operand)
    function = _UNARY[type(node.op)]

    def evaluate(frame: Frame) -> Any:
        value = operand(frame)
        try:
            return function(value)
        except Exception as error:
            mark(error, node)
            raise

    return evaluate


def boolean(machine: Machine, node: ast.BoolOp) -> Evaluate:
    """``and`` and ``or``: works out no more parts than needed."""
    parts = [machine.expression(part) for part in node.values]
    wanted = isinstance(node.op, ast.And)

    def evaluate(frame: Frame) -> Any:
        value = None
        for part in parts:
            value = part(frame)
            if bool(value) is not wanted:
                break
        return value

    return evaluate


def compare(machine: Machine, node: ast.Compare) -> Evaluate:
    """``a < b < c``: works out no more parts than needed."""
    first = machine.expression(node.left)
    steps = [
        (kind, _COMPARISONS[type(kind)], machine.expression(part))
        for kind, part in zip(node.ops, node.comparators, strict=True)
    ]

    def evaluate(frame: Frame) -> Any:
        left = first(frame)
        result: Any = True
        for kind, function, part in steps:
            right = part(frame)
            cost = _comparing(kind, left, right)
            if cost:
                machine.charge(cost)
            try:
                result = function(left, right)
            except Exception as error:
                mark(error, node, left, right)
                raise
            if not result:
                return result
            left = right
        return result

    return evaluate


def conditional(machine: Machine, node: ast.IfExp) -> Evaluate:
    """``body if test else other``."""
    test, body, other = (machine.expression(part) for part in (node.test, node.body, node.orelse))
    return lambda frame: body(frame) if test(frame) else other(frame)
