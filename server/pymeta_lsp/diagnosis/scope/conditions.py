"""What a condition is known to be, and what it proves about the names in it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from .values import (
    BOOL,
    BYTES,
    CLASS,
    DICT,
    FLOAT,
    FUNCTION,
    INSTANCE,
    INT,
    LIST,
    MAYBE_UNBOUND,
    MODULE,
    NONE,
    OTHER,
    SET,
    STR,
    TUPLE,
    Contents,
    Length,
    Value,
    is_constant,
)

if TYPE_CHECKING:
    from .engine import Engine

_ALWAYS_TRUE: Final = FUNCTION | CLASS | MODULE
_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt,
}  # fmt: skip
_MIRRORED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_CLASS_KINDS: Final = {
    "int": INT | BOOL, "float": FLOAT, "str": STR, "bool": BOOL, "bytes": BYTES, "list": LIST, "tuple": TUPLE,
    "dict": DICT, "set": SET,
}  # fmt: skip


def truth(engine: Engine, value: Value) -> bool | None:
    """Whether a condition holds; None where that is not known."""
    if is_constant(value):
        return bool(value.const)
    mask = value.mask & ~MAYBE_UNBOUND
    if mask and not mask & ~_ALWAYS_TRUE:
        return True
    if mask == NONE:
        return False
    if mask and not mask & ~(LIST | DICT | SET) and value.object is not None:
        contents = engine.here.contents(value)
        if contents.shortest > 0:
            return True
        if contents.longest == 0:
            return False
    return None


def assume(engine: Engine, test: ast.expr, holds: bool) -> None:
    """Go on as if ``test`` were ``holds``: keep only the values for which it may be."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        assume(engine, test.operand, not holds)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is holds:
            for part in test.values:
                assume(engine, part, holds)
    elif isinstance(test, ast.Name):
        if holds:
            _narrow(engine, test, remove=NONE)
            _lengths(engine, test, 1, None)
        else:
            _narrow(engine, test, remove=FUNCTION | CLASS | MODULE)
            _lengths(engine, test, 0, 0)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        _assume_comparison(engine, test.left, test.ops[0], test.comparators[0], holds)
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name):
        _assume_call(engine, test, holds)
    elif isinstance(test, ast.NamedExpr):
        assume(engine, test.target, holds)


def _narrow(engine: Engine, node: ast.expr, *, remove: int = 0, keep: int | None = None) -> None:
    if not isinstance(node, ast.Name):
        return
    names = _holder(engine, node)
    value = names.get(node.id) if names is not None else None
    if names is None or value is None:
        return
    mask = value.mask & ~remove
    if keep is not None:
        mask &= keep | MAYBE_UNBOUND
    if mask & ~MAYBE_UNBOUND:
        names[node.id] = value.with_mask(mask)


def _holder(engine: Engine, node: ast.Name) -> dict[str, Value] | None:
    owner = engine.frame.scope.owner(node.id)
    for key, scope in engine.frame.chain:
        if scope is owner:
            return engine.here.frames.get(key)
    return None


def _lengths(engine: Engine, node: ast.Name, shortest: int, longest: int | None) -> None:
    names = _holder(engine, node)
    value = names.get(node.id) if names is not None else None
    if value is None or value.object is None or value.mask & ~(LIST | DICT | SET) or not engine.here.follows(value):
        return
    contents = engine.here.contents(value)
    shortest = max(shortest, contents.shortest)
    longest = contents.longest if longest is None else longest
    if longest is None or shortest <= longest:
        items = contents.items if longest != 0 else ()
        engine.here.heap[value.object] = Contents(contents.elem, shortest, longest, items, contents.keys)


def _assume_comparison(engine: Engine, left: ast.expr, operator: ast.cmpop, right: ast.expr, holds: bool) -> None:
    kind = type(operator)
    equal = kind in (ast.Is, ast.Eq)
    if equal or kind in (ast.IsNot, ast.NotEq):
        if isinstance(right, ast.Constant) and right.value is None:
            if equal is holds:
                _narrow(engine, left, keep=NONE if kind in (ast.Is, ast.IsNot) else None)
            else:
                _narrow(engine, left, remove=NONE)
        elif equal is holds:
            _narrow_equal(engine, left, right)
    elif kind in (ast.Lt, ast.LtE, ast.Gt, ast.GtE):
        _assume_order(engine, left, kind, right, holds)
    elif (kind is ast.In and holds) or (kind is ast.NotIn and not holds):
        _assume_member(engine, left, right)


def _narrow_equal(engine: Engine, left: ast.expr, right: ast.expr) -> None:
    """``x == <constant>``: values of kinds that never equal it are out."""
    if isinstance(right, ast.Constant) and not isinstance(right.value, (bool, int, float)) and right.value is not None:
        _narrow(engine, left, remove=NONE | INT | FLOAT | BOOL | LIST | DICT | SET | TUPLE)
    elif isinstance(right, ast.Constant):
        _narrow(engine, left, remove=NONE | STR | LIST | DICT | SET | TUPLE)


def _assume_order(engine: Engine, left: ast.expr, kind: type[ast.cmpop], right: ast.expr, holds: bool) -> None:
    """``i < len(a)`` and its kin: the largest value that ``i`` has in the loop or branch."""
    if not holds:
        kind = _OPPOSITE[kind]
    if kind in (ast.Gt, ast.GtE):
        left, right = right, left
        kind = _MIRRORED[kind]
    if not isinstance(left, ast.Name):
        return
    names = _holder(engine, left)
    value = names.get(left.id) if names is not None else None
    if names is None or value is None or value.length is not None or is_constant(value):
        return
    bound = engine.evaluate_quietly(right)
    if bound.length is not None and bound.length.exact and value.mask & INT:
        offset = bound.length.offset - (kind is ast.Lt)
        names[left.id] = Value(value.mask, length=Length(bound.length.origin, offset, False), origin=value.origin)


def _assume_member(engine: Engine, left: ast.expr, right: ast.expr) -> None:
    """``key in d`` holds: the key may be there."""
    if not isinstance(right, ast.Name):
        return
    names = _holder(engine, right)
    value = names.get(right.id) if names is not None else None
    if value is not None and value.object is not None and value.mask == DICT:
        contents = engine.here.contents(value)
        engine.here.heap[value.object] = Contents(contents.elem, max(1, contents.shortest), None)


def _assume_call(engine: Engine, test: ast.Call, holds: bool) -> None:
    if not isinstance(test.func, ast.Name) or not test.args:
        return
    if test.func.id == "isinstance" and len(test.args) == 2:
        wanted = _class_mask(test.args[1])
        if wanted and holds:
            _narrow(engine, test.args[0], keep=wanted)
        elif wanted:
            _narrow(engine, test.args[0], remove=wanted & ~INSTANCE)
    elif test.func.id == "hasattr" and holds and isinstance(test.args[0], ast.Name):
        names = _holder(engine, test.args[0])
        if names is not None and test.args[0].id in names:
            names[test.args[0].id] = Value(OTHER)  # it has more than its kind is known to have
    elif test.func.id == "len" and isinstance(test.args[0], ast.Name):
        _lengths(engine, test.args[0], int(holds), None if holds else 0)


def _class_mask(node: ast.expr) -> int:
    if isinstance(node, ast.Name):
        return _CLASS_KINDS.get(node.id, 0)
    if isinstance(node, ast.Tuple):
        masks = [_class_mask(part) for part in node.elts]
        return 0 if 0 in masks else sum(set(masks)) if len(set(masks)) == len(masks) else 0
    return 0
