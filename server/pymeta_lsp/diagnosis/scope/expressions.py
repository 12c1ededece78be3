"""The value of each kind of expression, and the failures met while working it out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pymeta_taxonomy import Label

from . import calls, containers
from .arithmetic import binary, compare, say, unary
from .attributes import attribute
from .conditions import assume, truth
from .displays import comprehension, dict_display, escape, list_display, set_display, tuple_display
from .names import read_name
from .state import SHORT, merge
from .values import (
    BOOL_VALUE,
    DICT,
    FUNCTION,
    LIST,
    MAYBE_UNBOUND,
    NONE,
    STR_VALUE,
    TOP,
    TUPLE,
    FunctionRef,
    Value,
    constant,
    join,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine


def evaluate(engine: Engine, node: ast.expr) -> Value:
    """The value of ``node`` in the engine's state."""
    engine.spend()
    function = _EVALUATORS.get(type(node))
    return TOP if function is None else function(engine, node)


def _constant(engine: Engine, node: ast.Constant) -> Value:
    return constant(node.value)


def _name(engine: Engine, node: ast.Name) -> Value:
    return read_name(engine, node)


def refine(engine: Engine, node: ast.expr, mask: int) -> None:
    """An operation on ``node`` has worked, or was noted: from here on its value is one of the kinds in ``mask``."""
    if not isinstance(node, ast.Name) or not mask:
        return
    scope = engine.frame.scope
    if scope.owner(node.id) is not scope:
        return
    names = engine.here.frames[engine.frame.key]
    value = names.get(node.id)
    if value is not None and value.mask & ~mask & ~MAYBE_UNBOUND and value.mask & mask:
        names[node.id] = value.with_mask(value.mask & (mask | MAYBE_UNBOUND))


def _binary(engine: Engine, node: ast.BinOp) -> Value:
    left = evaluate(engine, node.left)
    right = evaluate(engine, node.right)
    result, left_fits, right_fits = binary(engine, node, type(node.op), left, right)
    refine(engine, node.left, left_fits)
    refine(engine, node.right, right_fits)
    return result


def _unary(engine: Engine, node: ast.UnaryOp) -> Value:
    operand = evaluate(engine, node.operand)
    if isinstance(node.op, ast.Not):
        known = truth(engine, operand)
        return BOOL_VALUE if known is None else constant(not known)
    result, fits = unary(engine, node, operand)
    refine(engine, node.operand, fits)
    return result


def _boolean(engine: Engine, node: ast.BoolOp) -> Value:
    """``a and b and c``: each operand is only reached when those before let it be."""
    doubt = engine.here.doubt
    wanted = isinstance(node.op, ast.And)
    result: Value | None = None
    leaving = None
    for index, operand in enumerate(node.values):
        value = evaluate(engine, operand)
        result = value if result is None else join(result, value)
        if index == len(node.values) - 1 or engine.state is None:
            break
        known = truth(engine, value)
        if known is not None and known is not wanted:
            break
        if known is None:
            leaving = merge(leaving, engine.here.copy())
            assume(engine, operand, wanted)
            engine.here.doubt |= SHORT
    if engine.state is not None:
        engine.state = merge(engine.state, leaving)
        engine.here.doubt = doubt
    return result or TOP


def _compare(engine: Engine, node: ast.Compare) -> Value:
    left_node = node.left
    left = evaluate(engine, left_node)
    doubt = engine.here.doubt
    result = BOOL_VALUE
    for index, (operator_node, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if index:
            engine.here.doubt |= SHORT
        right = evaluate(engine, right_node)
        result, left_fits, right_fits = compare(engine, node, operator_node, left, right)
        refine(engine, left_node, left_fits)
        refine(engine, right_node, right_fits)
        left, left_node = right, right_node
    engine.here.doubt = doubt
    return result if len(node.ops) == 1 else BOOL_VALUE


def _conditional(engine: Engine, node: ast.IfExp) -> Value:
    condition = evaluate(engine, node.test)
    known = truth(engine, condition)
    if known is not None:
        return evaluate(engine, node.body if known else node.orelse)
    doubt = engine.here.doubt
    other = engine.here.copy()
    engine.here.doubt |= SHORT
    assume(engine, node.test, True)
    first = evaluate(engine, node.body)
    after_first = engine.state
    engine.state = other
    other.doubt |= SHORT
    assume(engine, node.test, False)
    second = evaluate(engine, node.orelse)
    engine.state = merge(after_first, engine.state)
    engine.here.doubt = doubt
    return join(first, second)


def _lambda(engine: Engine, node: ast.Lambda) -> Value:
    return kind(FUNCTION, ref=function_ref(engine, node, decorated=False))


def function_ref(
    engine: Engine, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, *, decorated: bool
) -> FunctionRef:
    """A function made here: its defaults are worked out now, its body when it is called."""
    defaults = tuple(evaluate(engine, default) for default in node.args.defaults)
    keyword_defaults = tuple(
        None if default is None else evaluate(engine, default) for default in node.args.kw_defaults
    )
    for value in (*defaults, *keyword_defaults):
        escape(engine, value)
    chain = tuple(pair for pair in engine.frame.chain if pair[1].kind != "class" or pair[1].parent is None)
    return FunctionRef(node, chain, defaults, keyword_defaults, decorated)


def _comprehension(engine: Engine, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Value:
    return comprehension(engine, node)


def _fstring(engine: Engine, node: ast.JoinedStr) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            evaluate(engine, part)
    return STR_VALUE


def _formatted(engine: Engine, node: ast.FormattedValue) -> Value:
    value = evaluate(engine, node.value)
    spec = node.format_spec
    if isinstance(spec, ast.JoinedStr):
        evaluate(engine, spec)
        if node.conversion == -1 and spec.values and value.mask and not value.mask & ~(NONE | LIST | DICT | TUPLE):
            text = spec.values[0].value if isinstance(spec.values[0], ast.Constant) else "x"
            if text:
                engine.report("bad-format", Label.TYPE_ERROR, node.value, {"kind": say(value)},
                              exception="TypeError")  # fmt: skip
    return STR_VALUE


def _walrus(engine: Engine, node: ast.NamedExpr) -> Value:
    value = evaluate(engine, node.value)
    engine.assign_name(node.target.id, value)
    return value


def _starred(engine: Engine, node: ast.Starred) -> Value:
    evaluate(engine, node.value)
    return TOP


def _await(engine: Engine, node: ast.Await | ast.YieldFrom | ast.Yield) -> Value:
    if node.value is not None:
        evaluate(engine, node.value)
    return TOP


def _slice(engine: Engine, node: ast.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            evaluate(engine, part)
    return TOP


_EVALUATORS: Final[dict[type, Callable[[Any, Any], Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.List: list_display,
    ast.Tuple: tuple_display,
    ast.Set: set_display,
    ast.Dict: dict_display,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.JoinedStr: _fstring,
    ast.FormattedValue: _formatted,
    ast.NamedExpr: _walrus,
    ast.Starred: _starred,
    ast.Await: _await,
    ast.Yield: _await,
    ast.YieldFrom: _await,
    ast.Slice: _slice,
    ast.Call: calls.call,
    ast.Attribute: attribute,
    ast.Subscript: containers.subscript,
}
