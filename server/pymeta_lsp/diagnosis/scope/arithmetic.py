"""Operators on abstract values: the result, and the failures of kinds that do not go together."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from pymeta_taxonomy import Label

from .operators import COMPARISONS, SYMBOLS, UNARY, TooLargeError, fold, outcome, small, unary_outcome
from .state import GUESS
from .values import (
    ANY,
    BOOL,
    BOOL_VALUE,
    CLASS,
    INSTANCE,
    INT,
    LIST,
    MAYBE_UNBOUND,
    NONE,
    NUMBER,
    OTHER,
    STR,
    TOP,
    TUPLE,
    ClassRef,
    Contents,
    Length,
    Value,
    constant,
    describe,
    everyday,
    is_constant,
    join,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine


class Operation(NamedTuple):
    """An operator's result, and the kinds of operands for which it works."""

    result: Value
    left: int
    right: int


def operand_mask(value: Value) -> int:
    """The kinds to look up: an instance, or a class, whose own class may define operators counts as anything."""
    mask = value.mask & ~MAYBE_UNBOUND
    if mask & CLASS and isinstance(value.ref, ClassRef) and not value.ref.known:
        mask = mask & ~CLASS | OTHER
    if mask & INSTANCE:
        plain = isinstance(value.ref, ClassRef) and value.ref.known and not any(
            name.startswith("__") and name != "__init__" for name in value.ref.members
        )  # fmt: skip
        if not plain:
            mask = mask & ~INSTANCE | OTHER
    return mask


def judge(operator_type: type, left: int, right: int) -> tuple[int, int, int, int | None]:
    """(result kinds, left kinds that fit, right kinds that fit, doubt of a TypeError or None)."""
    full = outcome(operator_type, left, right)
    if operator_type is ast.MatMult:
        return ANY, left, right, None  # nothing of Python's own has it
    if not full.result:
        if (left | right) & OTHER:  # its class may define the operator, as paths and arrays do
            return ANY, left, right, None
        return ANY, 0, 0, 0
    if operator_type is ast.Div and (left | right) & STR:
        return full.result, full.left, full.right, None  # a path divides by text
    if (left | right) & OTHER and left != OTHER and right != OTHER:
        usual = outcome(operator_type, left & ~OTHER or left, right & ~OTHER or right)
        if not usual.result and everyday(left) and everyday(right):
            return full.result, full.left, full.right, GUESS
    return full.result, full.left | left & OTHER, full.right | right & OTHER, None


def binary(engine: Engine, node: ast.AST, operator_type: type, left: Value, right: Value) -> Operation:
    """``left <operator> right`` at ``node``."""
    if is_constant(left) and is_constant(right) and small(left.const) and small(right.const):
        folded = _fold(engine, node, operator_type, left, right)
        if folded is not None:
            return folded
    left_mask, right_mask = operand_mask(left), operand_mask(right)
    if is_constant(right) and operator_type in (ast.Div, ast.FloorDiv, ast.Mod):
        _check_zero(engine, node, left_mask, right)
    result, left_fits, right_fits, doubt = judge(operator_type, left_mask, right_mask)
    if doubt is not None:
        report_operands(engine, node, operator_type, left, right, doubt)
    return Operation(_result(engine, operator_type, left, right, result), left_fits, right_fits)


def _fold(engine: Engine, node: ast.AST, operator_type: type, left: Value, right: Value) -> Operation | None:
    try:
        return Operation(constant(fold(operator_type, left.const, right.const)), left.mask, right.mask)
    except ZeroDivisionError:
        report_zero(engine, node)
        return Operation(kind(NUMBER), left.mask, right.mask)
    except TypeError:
        report_operands(engine, node, operator_type, left, right, 0)
        return Operation(TOP, 0, 0)
    except (TooLargeError, ValueError, OverflowError, MemoryError):
        return None


def _check_zero(engine: Engine, node: ast.AST, left: int, right: Value) -> None:
    if isinstance(right.const, (int, float)) and right.const == 0 and left and not left & ~NUMBER:
        report_zero(engine, node)


def report_zero(engine: Engine, node: ast.AST) -> None:
    """Note a division by zero."""
    engine.report("zero-division", Label.OTHER_ERROR, node, exception="ZeroDivisionError", detail="zero-division-error")


def _result(engine: Engine, operator_type: type, left: Value, right: Value, mask: int) -> Value:
    if operator_type in (ast.Add, ast.Sub) and mask & INT:
        length = shifted(left, right, operator_type)
        if length is not None:
            return Value(INT, length=length)
    if mask == LIST and operator_type is ast.Add:
        first, second = engine.here.contents(left), engine.here.contents(right)
        elem = first.elem if second.elem is None else second.elem
        if first.elem is not None and second.elem is not None:
            elem = join(first.elem, second.elem)
        longest = None if first.longest is None or second.longest is None else first.longest + second.longest
        items = None if first.items is None or second.items is None else (*first.items, *second.items)
        return engine.allocate(LIST, Contents(elem, first.shortest + second.shortest, longest, items))
    if mask == LIST and operator_type is ast.Mult:
        return _repeated(engine, left, right)
    if mask == TUPLE and operator_type is ast.Add and left.elem is not None and right.elem is not None:
        return kind(TUPLE, elem=join(left.elem, right.elem))
    return kind(mask)


def _repeated(engine: Engine, left: Value, right: Value) -> Value:
    source, times = (left, right) if left.mask & LIST else (right, left)
    contents = engine.here.contents(source)
    count = times.const if isinstance(times.const, int) else None
    if count is None:
        return engine.allocate(LIST, Contents(contents.elem, 0, None))
    count = max(count, 0)
    longest = None if contents.longest is None else contents.longest * count
    return engine.allocate(LIST, Contents(contents.elem if count else None, contents.shortest * count, longest))


def shifted(left: Value, right: Value, operator_type: type) -> Length | None:
    """The length that a sum with a constant is counted from."""
    if left.length is not None and type(right.const) is int and left.mask == INT:
        step = right.const if operator_type is ast.Add else -right.const
        return left.length._replace(offset=left.length.offset + step)
    if right.length is not None and type(left.const) is int and operator_type is ast.Add and right.mask == INT:
        return right.length._replace(offset=right.length.offset + left.const)
    return None


def unary(engine: Engine, node: ast.UnaryOp, operand: Value) -> tuple[Value, int]:
    """``<operator> operand``, and the kinds for which it works."""
    if is_constant(operand) and isinstance(operand.const, (int, float)) and type(node.op) is not ast.Invert:
        return constant(UNARY[type(node.op)](operand.const)), operand.mask
    operator_type: type = type(node.op)
    given = unary_outcome(operator_type, operand_mask(operand))
    if not given.result:
        arguments = {"operator": SYMBOLS[type(node.op)], "kind": say(operand)}
        engine.report("bad-operand", Label.TYPE_ERROR, node, arguments, exception="TypeError")
        return TOP, 0
    return kind(given.result), given.left


def compare(engine: Engine, node: ast.Compare, operator_node: ast.cmpop, left: Value, right: Value) -> Operation:
    """One comparison of a chain."""
    operator_type = type(operator_node)
    if operator_type in (ast.Is, ast.IsNot):
        if is_constant(left) and is_constant(right) and (left.const is None or right.const is None):
            same = left.const is right.const
            return Operation(constant(same is (operator_type is ast.Is)), ANY, ANY)
        if left.mask == right.mask == NONE:
            return Operation(constant(operator_type is ast.Is), ANY, ANY)
        if left.mask & right.mask & ~MAYBE_UNBOUND == 0:
            return Operation(constant(operator_type is ast.IsNot), ANY, ANY)
        return Operation(BOOL_VALUE, ANY, ANY)
    if is_constant(left) and is_constant(right) and small(left.const) and small(right.const):
        try:
            return Operation(constant(bool(COMPARISONS[operator_type](left.const, right.const))), left.mask, right.mask)
        except TypeError:
            pass
    left_mask, right_mask = operand_mask(left), operand_mask(right)
    answer = TOP if (left_mask | right_mask) & OTHER else BOOL_VALUE  # arrays compare element by element
    if operator_type in (ast.Eq, ast.NotEq):
        return Operation(answer, ANY, ANY)
    _, left_fits, right_fits, doubt = judge(operator_type, left_mask, right_mask)
    if doubt is not None:
        report_operands(engine, node, operator_type, left, right, doubt)
    return Operation(answer, left_fits, right_fits)


def report_operands(engine: Engine, node: ast.AST, operator_type: type, left: Value, right: Value, doubt: int) -> None:
    """Note that the operator does not go with these operands."""
    left_kind, right_kind = say(left), say(right)
    arguments = {"operator": SYMBOLS.get(operator_type, "?"), "left": left_kind, "right": right_kind}
    key = "bad-operands"
    if operator_type is ast.Add and STR in (left.mask, right.mask) and (left.mask | right.mask) & NUMBER:
        key = "text-plus-number"
    elif operator_type in COMPARISONS and operator_type not in (ast.In, ast.NotIn):
        key = "bad-comparison"
    elif operator_type in (ast.In, ast.NotIn):
        key = "bad-membership"
    if "None" in (left_kind, right_kind) and key != "bad-membership":
        key = "none-operand"
    engine.report(key, Label.TYPE_ERROR, node, arguments, exception="TypeError", doubt=doubt)


def say(value: Value) -> str:
    """The kinds of a value by Python's names, for a message."""
    mask = value.mask & ~MAYBE_UNBOUND
    usual = mask & ~OTHER or mask
    if usual & INT and usual & BOOL:
        usual &= ~BOOL
    return describe(usual)
