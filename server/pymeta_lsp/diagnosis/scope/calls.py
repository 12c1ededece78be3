"""Calls: of the program's own functions and classes, of built-in functions, of methods of built-in types."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from pymeta_taxonomy import Label

from . import builtin_calls, methods
from .arithmetic import operand_mask, say
from .containers import text_of
from .signatures import module_result
from .state import GUESS
from .values import (
    BUILTIN,
    CLASS,
    FUNCTION,
    INSTANCE,
    MAYBE_UNBOUND,
    OTHER,
    TOP,
    BuiltinRef,
    ClassRef,
    FunctionRef,
    MethodRef,
    ModuleMember,
    Value,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine

_ENDING = {("sys", "exit"), ("os", "_exit"), ("os", "abort")}


class Arguments(NamedTuple):
    """What a call passes."""

    values: list[Value]
    """Positional arguments, in order; those before any star."""
    nodes: list[ast.expr]
    keywords: dict[str, Value]
    exact: bool
    """No ``*`` or ``**`` hides further ones."""


def call(engine: Engine, node: ast.Call) -> Value:
    """The result of a call."""
    function = engine.evaluate(node.func)
    arguments = evaluate_arguments(engine, node)
    if engine.state is None:
        return TOP
    ref = function.ref
    mask = function.mask & ~MAYBE_UNBOUND
    if isinstance(ref, FunctionRef) and mask == FUNCTION:
        return call_own(engine, node, ref, arguments)
    if isinstance(ref, ClassRef) and mask == CLASS:
        return _construct(engine, node, ref, arguments)
    if isinstance(ref, BuiltinRef):
        return builtin_calls.call_builtin(engine, node, ref.name, arguments)
    if isinstance(ref, MethodRef):
        return methods.call_method(engine, node, ref, arguments)
    if isinstance(ref, ModuleMember) and (ref.module, ref.name) in _ENDING:
        engine.frame.exits += 1
        engine.state = None
        return TOP
    forget_arguments(engine, arguments)
    for name in engine.symbols.module.captured:
        captured = engine.here.frames[0].get(name)
        if captured is not None:
            engine.here.forget(captured)  # whoever is called may call back a function that changes it
    if isinstance(ref, ModuleMember):
        return module_result(ref.module, ref.name)
    check_callable(engine, node, function)
    return TOP


def check_callable(engine: Engine, node: ast.Call, function: Value) -> None:
    """Note a call of something that is no function."""
    mask = operand_mask(function)
    fits = mask & (FUNCTION | BUILTIN | CLASS | OTHER)
    if not mask or mask & (FUNCTION | BUILTIN | CLASS) or fits == mask:
        engine.refine(node.func, fits)
        return
    if function.mask & INSTANCE and not isinstance(function.ref, ClassRef):
        return
    name = text_of(node.func)
    shadowed = isinstance(node.func, ast.Name) and node.func.id in engine.builtins
    key = "shadowed-call" if shadowed else "not-callable"
    engine.report(key, Label.TYPE_ERROR, node, {"name": name, "kind": say(function)}, exception="TypeError",
                  doubt=GUESS if fits else 0)  # fmt: skip
    engine.refine(node.func, FUNCTION | BUILTIN | CLASS | OTHER)


def evaluate_arguments(engine: Engine, node: ast.Call) -> Arguments:
    """The values of a call's arguments, worked out from left to right."""
    values: list[Value] = []
    nodes: list[ast.expr] = []
    exact = True
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            engine.evaluate(argument.value)
            exact = False
        else:
            value = engine.evaluate(argument)
            if exact:
                values.append(value)
                nodes.append(argument)
            else:
                engine.here.forget(value)
    keywords = {}
    for keyword in node.keywords:
        value = engine.evaluate(keyword.value)
        if keyword.arg is None:
            exact = False
        else:
            keywords[keyword.arg] = value
    return Arguments(values, nodes, keywords, exact)


def forget_arguments(engine: Engine, arguments: Arguments) -> None:
    """Whoever gets these may change them."""
    for value in (*arguments.values, *arguments.keywords.values()):
        engine.here.forget(value)


def _construct(engine: Engine, node: ast.Call, ref: ClassRef, arguments: Arguments) -> Value:
    instance = kind(INSTANCE, ref=ref)
    constructor = ref.members.get("__init__")
    if constructor is None:
        if ref.known and "__new__" not in ref.members and arguments.exact and (arguments.values or arguments.keywords):
            engine.report("class-takes-no-arguments", Label.TYPE_ERROR, node, {"name": ref.node.name},
                          exception="TypeError")  # fmt: skip
        forget_arguments(engine, arguments)
        return instance if ref.known else TOP
    if isinstance(constructor.ref, FunctionRef):
        bound = engine.bind_method(constructor, instance)
        call_own(engine, node, bound.ref, arguments, shown=ref.node.name)
    else:
        forget_arguments(engine, arguments)
    return instance if ref.known else TOP


def call_own(engine: Engine, node: ast.Call, ref: FunctionRef, arguments: Arguments, shown: str | None = None) -> Value:
    """Call one of the program's functions: check the arguments, then run its body."""
    signature = ref.node.args
    positional = [*signature.posonlyargs, *signature.args]
    values = list(arguments.values)
    if ref.self_value is not None:
        values.insert(0, ref.self_value)
    names: dict[str, Value] = {}
    for parameter, value in zip(positional, values, strict=False):
        names[parameter.arg] = value
    name = shown or (ref.node.name if isinstance(ref.node, (ast.FunctionDef, ast.AsyncFunctionDef)) else "lambda")
    if arguments.exact and not _fits(engine, node, ref, arguments, values, name):
        forget_arguments(engine, arguments)
        return TOP
    keyword_only = {parameter.arg for parameter in signature.kwonlyargs}
    for key, value in arguments.keywords.items():
        if key in keyword_only or any(parameter.arg == key for parameter in positional):
            names[key] = value
        else:
            engine.here.forget(value)
    for value in values[len(positional) :]:
        engine.here.forget(value)
    defaults = list(zip(reversed(positional), reversed(ref.defaults), strict=False))
    defaults += [(p, v) for p, v in zip(signature.kwonlyargs, ref.keyword_defaults, strict=True) if v is not None]
    for parameter, default in defaults:
        names.setdefault(parameter.arg, default if arguments.exact else TOP)
    for parameter in (*positional, *signature.kwonlyargs):
        names.setdefault(parameter.arg, TOP)
    return engine.call_function(ref, names)


def _fits(
    engine: Engine, node: ast.Call, ref: FunctionRef, arguments: Arguments, values: list[Value], name: str
) -> bool:
    """Whether the arguments fill the parameters; notes that they do not."""
    signature = ref.node.args
    positional = [*signature.posonlyargs, *signature.args]
    first = positional[1:] if ref.self_value is not None and positional else positional
    given = len(values) - (ref.self_value is not None)
    pointer = engine.pointer(ref.node, name)
    if len(values) > len(positional) and signature.vararg is None:
        forgot_self = ref.self_value is not None and (not positional or positional[0].arg != "self")
        key = "missing-self" if forgot_self and len(values) == len(positional) + 1 else "too-many-arguments"
        details = {"name": name, "wanted": len(first), "given": given}
        engine.report(key, Label.TYPE_ERROR, node, details, exception="TypeError", pointers=pointer)
        return False
    filled = {parameter.arg for parameter in positional[: len(values)]}
    known = {parameter.arg for parameter in (*signature.args, *signature.kwonlyargs)}
    for key in arguments.keywords:
        if key in filled and key in known:
            engine.report("argument-twice", Label.TYPE_ERROR, node, {"name": name, "argument": key},
                          exception="TypeError", pointers=pointer)  # fmt: skip
            return False
        if key not in known and signature.kwarg is None:
            engine.report("unknown-argument", Label.TYPE_ERROR, node, {"name": name, "argument": key},
                          exception="TypeError", pointers=pointer)  # fmt: skip
            return False
    needed = positional[: len(positional) - len(signature.defaults)]
    needed_keywords = [p for p, d in zip(signature.kwonlyargs, signature.kw_defaults, strict=True) if d is None]
    missing = [p.arg for p in (*needed, *needed_keywords) if p.arg not in filled and p.arg not in arguments.keywords]
    if missing:
        details = {"name": name, "missing": ", ".join(missing), "wanted": len(first), "given": given}
        engine.report("too-few-arguments", Label.TYPE_ERROR, node, details, exception="TypeError", pointers=pointer)
        return False
    return True
