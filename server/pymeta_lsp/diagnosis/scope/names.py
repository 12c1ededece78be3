"""Reading a name: its value, or that it has none."""

from __future__ import annotations

import ast
import importlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pymeta_taxonomy import Label

from .report import Pointer, Replacement
from .spelling import Advice, advise
from .state import GUESS, PARTLY
from .symbols import BUILTINS, MODULE_NAMES, PROMPT_NAMES, STAR_EXPORTS, Scope
from .values import (
    BUILTIN,
    CLASS,
    MAYBE_UNBOUND,
    NONE,
    OTHER,
    STR_VALUE,
    TOP,
    ZERO_TRIP,
    BuiltinRef,
    Value,
    constant,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine

BUILTIN_CLASSES: Final = frozenset(
    [
        "int",
        "float",
        "str",
        "bool",
        "complex",
        "bytes",
        "bytearray",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "range",
        "type",
        "object",
        "enumerate",
        "zip",
        "map",
        "filter",
        "reversed",
        "slice",
        "property",
        "super",
        "memoryview",
        "classmethod",
        "staticmethod",
    ]
)


def read_name(engine: Engine, node: ast.Name) -> Value:
    """The value of a name that is read here; notes that it has none, and goes on as if it had one."""
    name = node.id
    scope = engine.frame.scope
    owner = scope.owner(name)
    names = engine.here.frames.get(_frame_key(engine, owner))
    if names is None:
        return TOP
    value = names.get(name)
    if value is not None and not value.mask & MAYBE_UNBOUND:
        if (
            value.mask == NONE
            and owner.parent is None
            and scope.parent is not None
            and engine.symbols.may_be_filled(name)
        ):
            return TOP
        return TOP if name in owner.written_inside else value
    if name in owner.written_inside:
        return TOP
    if owner.kind == "class":
        return _read_in_class(engine, node, value)
    if owner.parent is None:
        return _read_global(engine, node, value, names)
    if value is None or not value.mask & ~MAYBE_UNBOUND:
        _report_unbound_local(engine, node, owner, doubt=0)
        result = TOP
    else:
        _report_unbound_local(engine, node, owner, doubt=PARTLY | (GUESS if value.mask & ZERO_TRIP else 0))
        result = value.bound
    names[name] = result
    return result


def _frame_key(engine: Engine, owner: Scope) -> int:
    if owner.parent is None:
        return 0
    for key, scope in engine.frame.chain:
        if scope is owner:
            return key
    return -1


def _read_in_class(engine: Engine, node: ast.Name, value: Value | None) -> Value:
    if value is not None and value.mask & ~MAYBE_UNBOUND:
        return value.bound
    names = engine.here.frames[0]
    return _read_global(engine, node, names.get(node.id), names)


def _read_global(engine: Engine, node: ast.Name, value: Value | None, names: dict[str, Value]) -> Value:
    name = node.id
    if value is not None and not value.mask & MAYBE_UNBOUND:
        return value
    if name in MODULE_NAMES:
        return constant("__main__") if name == "__name__" else STR_VALUE if name == "__file__" else TOP
    if name in BUILTINS:
        builtin = builtin_value(name)
        return builtin if value is None or not value.mask & ~MAYBE_UNBOUND else TOP
    if (
        _star_import_has(engine, name)
        or name in engine.lost_names
        or name in engine.symbols.given
        or name in PROMPT_NAMES
    ):
        return TOP
    if value is not None and value.mask & ~MAYBE_UNBOUND:
        _report_undefined(engine, node, doubt=PARTLY | (GUESS if value.mask & ZERO_TRIP else 0))
        names[name] = value.bound
        return names[name]
    _report_undefined(engine, node, doubt=0)
    if name not in engine.symbols.module.bindings:
        return TOP
    return TOP


@lru_cache(maxsize=256)
def builtin_value(name: str) -> Value:
    """The value of a built-in name."""
    if name in ("True", "False", "None"):
        return constant({"True": True, "False": False, "None": None}[name])
    if name in BUILTIN_CLASSES:
        return kind(CLASS, ref=BuiltinRef(name))
    if name[0].isupper():
        return kind(CLASS if name not in ("NotImplemented", "Ellipsis") else OTHER, ref=BuiltinRef(name))
    if name in ("exit", "quit", "help", "copyright", "credits", "license"):
        return kind(OTHER, ref=BuiltinRef(name))
    return kind(BUILTIN, ref=BuiltinRef(name))


@lru_cache(maxsize=32)
def module_names(module: str) -> frozenset[str] | None:
    """The names a module of the standard library offers; None for one that is not safe and cheap to ask."""
    if module not in STAR_EXPORTS:
        return None
    return frozenset(dir(importlib.import_module(module)))


def _star_import_has(engine: Engine, name: str) -> bool:
    for node in engine.symbols.star_imports:
        offered = module_names(node.module or "")
        if offered is None or name in offered:
            return True
    return False


def _report_undefined(engine: Engine, node: ast.Name, doubt: int) -> None:
    name = node.id
    symbols = engine.symbols
    if symbols.dynamic:
        doubt |= GUESS | PARTLY
    later = symbols.module.bindings.get(name)
    if later and name in symbols.global_writes and engine.frame.scope.parent is not None:
        doubt |= PARTLY
    if later:
        deleted = any(isinstance(getattr(place, "ctx", None), ast.Del) for place in later)
        first = later[0]
        key = "name-maybe-undefined" if doubt & PARTLY else "name-deleted" if deleted else "name-defined-later"
        line = getattr(first, "lineno", 0)
        pointers = [Pointer(first, "scope.bound-here", {"name": name})]
        arguments = {"name": name, "line": node.lineno, "bound_line": line}
        engine.report(key, Label.NAME_ERROR, node, arguments, exception="NameError", doubt=doubt, pointers=pointers)
        return
    _report_advice(engine, node, _advice(engine, node), doubt)


def _advice(engine: Engine, node: ast.Name) -> Advice:
    """What to say of an undefined name: the same wherever a scope reads it, and looked up while there is time left."""
    as_module = engine.attribute_of is not None and engine.attribute_of.value is node
    key = (node.id, engine.frame.scope, as_module)
    known = engine.advice.get(key)
    if known is None:
        visible: dict[str, ast.AST | None] = {}
        if engine.comparisons > 0:
            visible = visible_names(engine)
            engine.comparisons -= len(visible)
        known = engine.advice[key] = advise(node.id, visible, engine, as_module=as_module)
    return known


def _report_advice(engine: Engine, node: ast.Name, advice: Advice, doubt: int) -> None:
    pointers = []
    if advice.bound_at is not None:
        pointers.append(Pointer(advice.bound_at, "scope.bound-here", {"name": advice.suggestion}))
    replacement = Replacement(node, advice.suggestion) if advice.certain else None
    imports = {"missing-import": f"import {advice.suggestion}", "missing-from-import": advice.suggestion}
    engine.report(
        advice.key,
        Label.NAME_ERROR,
        node,
        {"name": node.id, "line": node.lineno, "suggestion": advice.suggestion},
        exception="NameError",
        doubt=doubt,
        pointers=pointers,
        replacement=replacement,
        missing_import=imports.get(advice.key),
    )


def visible_names(engine: Engine) -> dict[str, ast.AST | None]:
    """Every name that could be meant at this point, with the place that binds it (None: built in)."""
    found: dict[str, ast.AST | None] = {}
    for _, scope in engine.frame.chain:
        if scope.kind == "class" and scope is not engine.frame.scope:
            continue
        for name, places in scope.bindings.items():
            found.setdefault(name, places[0])
    for name in BUILTINS:
        if not name.startswith("_"):
            found.setdefault(name, None)
    return found


def _report_unbound_local(engine: Engine, node: ast.Name, owner: Scope, doubt: int) -> None:
    name = node.id
    places = owner.bindings.get(name, [])
    line = node.lineno
    inner = owner is engine.frame.scope
    first = places[0] if places else node
    arguments: dict[str, object] = {"name": name, "line": line, "bound_line": getattr(first, "lineno", line)}
    if doubt:
        key = "local-maybe-unbound"
    elif any(isinstance(getattr(place, "ctx", None), ast.Del) for place in places):
        key = "local-deleted"
    elif name in engine.symbols.module.bindings and owner is engine.frame.scope:
        key = "local-hides-global"
        first = engine.symbols.module.bindings[name][0]
        arguments["bound_line"] = getattr(first, "lineno", line)
    elif any(getattr(place, "lineno", 0) == line for place in places):
        key = "local-from-itself"
    else:
        key = "local-unbound"
    engine.report(
        key,
        Label.UNBOUND_LOCAL_ERROR if inner else Label.NAME_ERROR,
        node,
        arguments,
        exception="UnboundLocalError" if inner else "NameError",
        doubt=doubt,
        pointers=[Pointer(first, "scope.bound-here", {"name": name})] if first is not node else [],
    )
