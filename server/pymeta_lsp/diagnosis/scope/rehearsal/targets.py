"""One closure maker for each target of an assignment."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import library
from .limits import LONGEST, UnknownError, check_iterables, element
from .marks import mark
from .objects import Class, Frame, Instance, Opaque

if TYPE_CHECKING:
    from .machine import Machine


def target(machine: Machine, node: ast.expr) -> Callable[[Frame, Any], None]:
    """The closure that assigns to ``node``."""
    if isinstance(node, ast.Name):
        return name_target(machine, node.id)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _unpacking(machine, node)
    if isinstance(node, ast.Subscript):
        return _item_target(machine, node)
    if isinstance(node, ast.Attribute):
        return _attribute_target(machine, node)
    return _unknown_target


def name_target(machine: Machine, name: str) -> Callable[[Frame, Any], None]:
    """The closure that binds ``name`` in the scope that owns it."""

    def assign(frame: Frame, value: Any) -> None:
        scope = frame.scope
        if name in scope.globals:
            machine.module.variables[name] = value
        elif name in scope.nonlocals:
            owner = scope.owner(name)
            holder: Frame | None = frame
            while holder is not None and holder.scope is not owner:
                holder = holder.outer
            if holder is None:
                raise UnknownError
            holder.variables[name] = value
        else:
            frame.variables[name] = value

    return assign


def _unpacking(machine: Machine, node: ast.Tuple | ast.List) -> Callable[[Frame, Any], None]:
    if any(isinstance(part, ast.Starred) for part in node.elts):
        return _unknown_target
    parts = [target(machine, part) for part in node.elts]

    def assign(frame: Frame, value: Any) -> None:
        try:
            check_iterables((value,))
            if not hasattr(value, "__iter__") and not hasattr(value, "__getitem__"):
                raise TypeError(f"cannot unpack non-iterable {type(value).__name__} object")
            values = list(machine.in_order(value))
            if len(values) < len(parts):
                raise ValueError(f"not enough values to unpack (expected {len(parts)}, got {len(values)})")
            if len(values) > len(parts):
                raise ValueError(f"too many values to unpack (expected {len(parts)})")
        except Exception as error:
            mark(error, node)
            raise
        for part, item in zip(parts, values, strict=True):
            part(frame, item)

    return assign


def _item_target(machine: Machine, node: ast.Subscript) -> Callable[[Frame, Any], None]:
    owner, index = machine.expression(node.value), machine.expression(node.slice)

    def assign(frame: Frame, value: Any) -> None:
        holder, place = owner(frame), index(frame)
        if type(holder) not in library.VALUE_TYPES and not isinstance(holder, Opaque):
            raise UnknownError
        if isinstance(holder, dict) and len(holder) > LONGEST:
            raise UnknownError
        if type(place) is slice:
            if type(value) not in (list, tuple, str, range) or len(holder) + len(value) > LONGEST:
                raise UnknownError
        else:
            element(value)
        try:
            holder[place] = value
        except Exception as error:
            mark(error, node, holder, place)
            raise

    return assign


def _attribute_target(machine: Machine, node: ast.Attribute) -> Callable[[Frame, Any], None]:
    owner = machine.expression(node.value)

    def assign(frame: Frame, value: Any) -> None:
        holder = owner(frame)
        if type(holder) is Instance:
            holder.attributes[node.attr] = value
        elif type(holder) is Class:
            holder.members[node.attr] = value
        elif type(holder) in library.VALUE_TYPES:
            error = AttributeError(f"'{type(holder).__name__}' object has no attribute '{node.attr}'")
            mark(error, node)
            raise error
        else:
            raise UnknownError

    return assign


def _unknown_target(frame: Frame, value: Any) -> None:
    raise UnknownError
