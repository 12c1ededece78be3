"""The value of each kind of expression, and the failures met while working it out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pymeta_taxonomy import Label

from . import calls, containers
from .arithmetic import binary, compare, say, unary
from .conditions import assume, truth
from .frames import Frame
from .names import read_name
from .state import LOOP, SHORT, merge
from .values import (
    BOOL_VALUE,
    DICT,
    FUNCTION,
    ITERATOR,
    LIST,
    MAYBE_UNBOUND,
    MISSING,
    NONE,
    SET,
    STR_VALUE,
    TOP,
    TUPLE,
    Contents,
    FunctionRef,
    Value,
    constant,
    is_constant,
    join,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine

_CONSTANT_VALUES: dict[tuple[type, Any], Value] = {}


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


def _items(engine: Engine, nodes: list[ast.expr]) -> tuple[tuple[Value, ...] | None, Value | None]:
    """The values of a display's elements, None when stars hide how many; and one value like all of them."""
    values: list[Value] = []
    starred = False
    for node in nodes:
        if isinstance(node, ast.Starred):
            starred = True
            values.append(containers.iterate(engine, node.value, evaluate(engine, node.value)))
        else:
            values.append(evaluate(engine, node))
    return (None if starred else tuple(values)), joined(values)


def joined(values: list[Value] | tuple[Value, ...]) -> Value | None:
    """One value like all of ``values``; None of none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return result


def _escape(engine: Engine, value: Value | None) -> None:
    """A value is stored where its changes are not followed."""
    if value is not None:
        engine.here.forget(value)


def _list(engine: Engine, node: ast.List) -> Value:
    items, elem = _items(engine, node.elts)
    _escape_all(engine, items)
    if items is None:
        return engine.allocate(LIST, Contents(elem or TOP, 0, None))
    return engine.allocate(LIST, Contents(elem, len(items), len(items), items))


def _escape_all(engine: Engine, items: tuple[Value, ...] | None) -> None:
    for item in items or ():
        _escape(engine, item)


def _tuple(engine: Engine, node: ast.Tuple) -> Value:
    items, elem = _items(engine, node.elts)
    if items is None:
        return kind(TUPLE, elem=elem)
    if all(is_constant(item) for item in items):
        return Value(TUPLE, tuple(item.const for item in items), elem=elem)
    return Value(TUPLE, MISSING, elem=elem, ref=items)


def _set(engine: Engine, node: ast.Set) -> Value:
    items, elem = _items(engine, node.elts)
    for element, item in zip(node.elts, items or (), strict=False):
        containers.check_hashable(engine, element, item)
    return engine.allocate(SET, Contents(elem, 1 if items else 0, len(items) if items is not None else None))


def _dict(engine: Engine, node: ast.Dict) -> Value:
    keys: set[Any] | None = set()
    values: list[Value] = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if key_node is None:
            evaluate(engine, value_node)
            keys = None
            values.append(TOP)
            continue
        key = evaluate(engine, key_node)
        containers.check_hashable(engine, key_node, key)
        value = evaluate(engine, value_node)
        _escape(engine, value)
        values.append(value)
        if keys is not None and is_constant(key):
            keys.add(key.const)
        else:
            keys = None
    known = None if keys is None else frozenset(keys)
    return engine.allocate(DICT, Contents(joined(values), len(known) if known is not None else min(1, len(values)),
                                          len(values) if known is not None else None, None, known))  # fmt: skip


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
        _escape(engine, value)
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
            containers.check_slice_bound(engine, part, evaluate(engine, part))
    return TOP


def comprehension(engine: Engine, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Value:
    """Run a comprehension in its own scope, once for all its iterations."""
    scope = engine.symbols.scopes[node]
    first, *rest = node.generators
    source = evaluate(engine, first.iter)
    elem = containers.iterate(engine, first.iter, source)
    shortest, longest = containers.length_bounds(engine, source)
    state = engine.here
    outer, doubt, key = engine.frame, state.doubt, engine.fresh()
    state.frames[key] = {}
    engine.frame = Frame(key, scope, ((key, scope), *outer.chain))
    if not shortest:
        state.doubt |= LOOP
    if isinstance(node, ast.GeneratorExp):
        state.doubt |= SHORT
    exact = longest is not None and shortest == longest
    engine.assign(first.target, elem)
    for generator in node.generators:
        if generator is not first:
            inner = evaluate(engine, generator.iter)
            engine.assign(generator.target, containers.iterate(engine, generator.iter, inner))
            engine.here.doubt |= LOOP
            exact = False
        for condition in generator.ifs:
            evaluate(engine, condition)
            assume(engine, condition, True)
            engine.here.doubt |= LOOP
            exact = False
    if isinstance(node, ast.DictComp):
        containers.check_hashable(engine, node.key, evaluate(engine, node.key))
        result = evaluate(engine, node.value)
    else:
        result = evaluate(engine, node.elt)
    _escape(engine, result)
    engine.frame = outer
    state = engine.here
    state.frames.pop(key, None)
    state.doubt = doubt
    length = (shortest, longest) if exact else (0, longest if not rest else None)
    if isinstance(node, ast.GeneratorExp):
        return kind(ITERATOR, elem=result)
    if isinstance(node, ast.ListComp):
        return engine.allocate(LIST, Contents(result, *length))
    return engine.allocate(DICT if isinstance(node, ast.DictComp) else SET, Contents(result, 0, length[1]))


_EVALUATORS: Final[dict[type, Callable[[Any, Any], Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.Set: _set,
    ast.Dict: _dict,
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
    ast.Attribute: containers.attribute,
    ast.Subscript: containers.subscript,
}
