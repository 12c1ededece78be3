"""Assigning to names, items, attributes, and several targets at once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pymeta_taxonomy import Label

from . import containers
from .attributes import report_attribute
from .values import (
    LIST,
    TOP,
    Value,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine


def assign_name(engine: Engine, name: str, value: Value) -> None:
    """``name = value``, in whichever scope owns the name."""
    scope = engine.frame.scope
    while scope.kind == "comprehension" and name not in scope.bindings and scope.parent is not None:
        scope = scope.parent
    owner = scope.owner(name)
    key = 0 if owner.parent is None else -1
    for frame_key, frame_scope in engine.frame.chain:
        if frame_scope is owner:
            key = frame_key
            break
    names = engine.here.frames.get(key)
    if names is not None:
        if owner.parent is None and engine.frame.scope is not owner and engine.module_done:
            value = TOP
        if owner.parent is not None and name in owner.captured:
            engine.here.forget(value)
        names[name] = value


def assign(engine: Engine, target: ast.expr, value: Value) -> None:
    """``target = value``."""
    if isinstance(target, ast.Name):
        assign_name(engine, target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(engine, target, value)
    elif isinstance(target, ast.Subscript):
        containers.store_item(engine, target, value)
    elif isinstance(target, ast.Attribute):
        _store_attribute(engine, target, value)
    elif isinstance(target, ast.Starred):
        assign(engine, target.value, kind(LIST))


def _store_attribute(engine: Engine, target: ast.Attribute, value: Value) -> None:
    owner = engine.evaluate(target.value)
    engine.here.forget(value)
    mask = owner.mask
    if mask and not mask & ~containers.PLAIN:
        report_attribute(engine, target, owner, 0)


def _unpack(engine: Engine, target: ast.Tuple | ast.List, value: Value) -> None:
    elem = containers.iterate(engine, target, value)
    starred = any(isinstance(part, ast.Starred) for part in target.elts)
    shortest, longest = containers.length_bounds(engine, value)
    wanted = len(target.elts)
    items = containers.tuple_items(value)
    if items is None and value.object is not None and value.mask == LIST:
        items = engine.here.contents(value).items
    if starred:
        if longest is not None and longest < wanted - 1:
            _report_unpacking(engine, target, wanted - 1, longest)
    elif (longest is not None and longest < wanted) or shortest > wanted:
        _report_unpacking(engine, target, wanted, shortest if shortest > wanted else longest or 0)
    elif items is not None and len(items) == wanted:
        for part, item in zip(target.elts, items, strict=True):
            assign(engine, part, item)
        return
    for part in target.elts:
        assign(engine, part, elem)


def _report_unpacking(engine: Engine, target: ast.expr, wanted: int, given: int) -> None:
    key = "too-few-to-unpack" if given < wanted else "too-many-to-unpack"
    engine.report(key, Label.VALUE_ERROR, target, {"wanted": wanted, "given": given}, exception="ValueError")
