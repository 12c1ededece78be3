"""Lists, tuples, sets, dicts, and comprehensions of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from . import containers
from .conditions import assume
from .frames import Frame
from .state import LOOP, SHORT
from .values import (
    DICT,
    ITERATOR,
    LIST,
    MISSING,
    SET,
    TOP,
    TUPLE,
    Contents,
    Value,
    is_constant,
    join,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine


def _items(engine: Engine, nodes: list[ast.expr]) -> tuple[tuple[Value, ...] | None, Value | None]:
    """The values of a display's elements, None when stars hide how many; and one value like all of them."""
    values: list[Value] = []
    starred = False
    for node in nodes:
        if isinstance(node, ast.Starred):
            starred = True
            values.append(containers.iterate(engine, node.value, engine.evaluate(node.value)))
        else:
            values.append(engine.evaluate(node))
    return (None if starred else tuple(values)), joined(values)


def joined(values: list[Value] | tuple[Value, ...]) -> Value | None:
    """One value like all of ``values``; None of none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return result


def escape(engine: Engine, value: Value | None) -> None:
    """A value is stored where its changes are not followed."""
    if value is not None:
        engine.here.forget(value)


def list_display(engine: Engine, node: ast.List) -> Value:
    """``[a, b]``."""
    items, elem = _items(engine, node.elts)
    _escape_all(engine, items)
    if items is None:
        return engine.allocate(LIST, Contents(elem or TOP, 0, None))
    return engine.allocate(LIST, Contents(elem, len(items), len(items), items))


def _escape_all(engine: Engine, items: tuple[Value, ...] | None) -> None:
    for item in items or ():
        escape(engine, item)


def tuple_display(engine: Engine, node: ast.Tuple) -> Value:
    """``(a, b)``."""
    items, elem = _items(engine, node.elts)
    if items is None:
        return kind(TUPLE, elem=elem)
    if all(is_constant(item) for item in items):
        return Value(TUPLE, tuple(item.const for item in items), elem=elem)
    return Value(TUPLE, MISSING, elem=elem, ref=items)


def set_display(engine: Engine, node: ast.Set) -> Value:
    """``{a, b}``."""
    items, elem = _items(engine, node.elts)
    for element, item in zip(node.elts, items or (), strict=False):
        containers.check_hashable(engine, element, item)
    return engine.allocate(SET, Contents(elem, 1 if items else 0, len(items) if items is not None else None))


def dict_display(engine: Engine, node: ast.Dict) -> Value:
    """``{a: b}``."""
    keys: set[Any] | None = set()
    values: list[Value] = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if key_node is None:
            engine.evaluate(value_node)
            keys = None
            values.append(TOP)
            continue
        key = engine.evaluate(key_node)
        containers.check_hashable(engine, key_node, key)
        value = engine.evaluate(value_node)
        escape(engine, value)
        values.append(value)
        if keys is not None and is_constant(key):
            keys.add(key.const)
        else:
            keys = None
    known = None if keys is None else frozenset(keys)
    return engine.allocate(DICT, Contents(joined(values), len(known) if known is not None else min(1, len(values)),
                                          len(values) if known is not None else None, None, known))  # fmt: skip


def comprehension(engine: Engine, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Value:
    """Run a comprehension in its own scope, once for all its iterations."""
    scope = engine.symbols.scopes[node]
    first, *rest = node.generators
    source = engine.evaluate(first.iter)
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
            inner = engine.evaluate(generator.iter)
            engine.assign(generator.target, containers.iterate(engine, generator.iter, inner))
            engine.here.doubt |= LOOP
            exact = False
        for condition in generator.ifs:
            engine.evaluate(condition)
            assume(engine, condition, True)
            engine.here.doubt |= LOOP
            exact = False
    if isinstance(node, ast.DictComp):
        containers.check_hashable(engine, node.key, engine.evaluate(node.key))
        result = engine.evaluate(node.value)
    else:
        result = engine.evaluate(node.elt)
    escape(engine, result)
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
