"""Attributes: of built-in values, of the program's own objects and classes, of modules."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from pymeta_taxonomy import Label

from .arithmetic import operand_mask, say
from .containers import text_of
from .operators import kinds_with_attribute
from .state import GUESS
from .strangers import is_strange
from .values import (
    ANY,
    BUILTIN,
    CLASS,
    FUNCTION,
    INSTANCE,
    ITERATOR,
    MODULE,
    NONE,
    OTHER,
    TOP,
    VIEW,
    BuiltinRef,
    ClassRef,
    FunctionRef,
    MethodRef,
    ModuleMember,
    ModuleRef,
    Value,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine


def attribute(engine: Engine, node: ast.Attribute) -> Value:
    """``value.name`` read."""
    outer, engine.attribute_of = engine.attribute_of, node
    value = engine.evaluate(node.value)
    engine.attribute_of = outer
    return member(engine, node, value)


def member(engine: Engine, node: ast.Attribute, value: Value) -> Value:
    """The attribute that ``node`` names of an evaluated value."""
    name = node.attr
    ref = value.ref
    if isinstance(ref, ModuleRef):
        return kind(ANY, ref=ModuleMember(ref.name, name))
    if isinstance(ref, ModuleMember):
        return kind(ANY, ref=ModuleMember(f"{ref.module}.{ref.name}", name))
    if isinstance(ref, ClassRef):
        return _class_member(engine, node, value, ref)
    if isinstance(ref, BuiltinRef) and value.mask == CLASS:
        return kind(ANY, ref=ModuleMember(ref.name, name))
    mask = operand_mask(value)
    fits = kinds_with_attribute(name) & mask
    unknown = mask & (OTHER | INSTANCE | CLASS | MODULE | ITERATOR | VIEW)
    if mask & (FUNCTION | BUILTIN):
        unknown |= mask & (FUNCTION | BUILTIN) if name.startswith("__") else 0
        if name in engine.symbols.attributes:
            unknown |= mask & FUNCTION
    if not fits | unknown:
        report_attribute(engine, node, value, 0)
        return TOP
    if not fits and mask & OTHER and mask & ~(OTHER | CLASS | MODULE | INSTANCE) and not unknown & ~OTHER:
        if is_strange(name) or (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
            return TOP
        report_attribute(engine, node, value, GUESS)
        return TOP
    if fits and not unknown:
        engine.refine(node.value, fits)
        return kind(BUILTIN if callable(_attribute_of_kind(fits, name)) else ANY, ref=MethodRef(value, name))
    engine.refine(node.value, fits | unknown)
    return kind(ANY, ref=MethodRef(value.with_mask(fits | unknown), name)) if fits else TOP


def _attribute_of_kind(mask: int, name: str) -> Any:
    from .operators import specimen

    return getattr(specimen(mask & -mask), name, None)


def report_attribute(engine: Engine, node: ast.Attribute, value: Value, doubt: int) -> None:
    """Note that ``value`` has no attribute of the name that ``node`` reads."""
    key = (
        "none-attribute"
        if value.mask & NONE
        else "function-attribute"
        if value.mask & (FUNCTION | BUILTIN)
        else "no-attribute"
    )
    arguments = {"kind": say(value), "name": node.attr, "text": text_of(node.value)}
    engine.report(key, Label.OTHER_ERROR, node, arguments, exception="AttributeError", doubt=doubt,
                  detail="attribute-error")  # fmt: skip


def _class_member(engine: Engine, node: ast.Attribute, value: Value, ref: ClassRef) -> Value:
    name = node.attr
    found = ref.members.get(name)
    if found is not None and not (ref.known or isinstance(found.ref, FunctionRef)):
        return TOP
    if found is not None and name in engine.symbols.attributes and not isinstance(found.ref, FunctionRef):
        return TOP  # the class gives a first value, somebody else another
    if found is not None and name in ("__init_subclass__", "__class_getitem__", "__new__"):
        return TOP
    if found is not None:
        if value.mask == INSTANCE:
            return engine.bind_method(found, value)
        return found
    if name in engine.symbols.attributes or name in ref.attributes or not ref.known or name.startswith("__"):
        return TOP
    if engine.symbols.dynamic_attributes or (name.startswith("_") and "__" in name):
        return TOP  # it may have been given under a name that stands nowhere, or is a private one written out
    if value.mask & ~(INSTANCE | CLASS):
        return TOP
    arguments = {"kind": ref.node.name, "name": name, "text": text_of(node.value)}
    engine.report("no-member", Label.OTHER_ERROR, node, arguments, exception="AttributeError", detail="attribute-error")
    return TOP
