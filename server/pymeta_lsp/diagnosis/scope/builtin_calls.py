"""Calls of built-in functions: what they accept, what they give."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pymeta_taxonomy import Label

from . import containers
from .arithmetic import judge, operand_mask, report_operands, say
from .operators import small
from .signatures import CHANGES_NOTHING, RESULTS, takes
from .state import GUESS
from .values import (
    ANY,
    BOOL,
    BOOL_VALUE,
    BUILTIN,
    BYTES,
    CLASS,
    COMPLEX,
    DICT,
    FLOAT,
    FLOAT_VALUE,
    FUNCTION,
    INSTANCE,
    INT,
    INT_VALUE,
    ITERABLE,
    ITERATOR,
    LIST,
    MAYBE_UNBOUND,
    MISSING,
    MODULE,
    NUMBER,
    OTHER,
    RANGE,
    SET,
    STR,
    STR_VALUE,
    TOP,
    TUPLE,
    VIEW,
    BuiltinRef,
    ClassRef,
    Contents,
    Length,
    Value,
    constant,
    everyday,
    is_constant,
    kind,
)

if TYPE_CHECKING:
    from .calls import Arguments
    from .engine import Engine


def call_builtin(engine: Engine, node: ast.Call, name: str, arguments: Arguments) -> Value:
    """The result of calling the built-in ``name``."""
    if name in ("exit", "quit"):
        engine.frame.exits += 1
        engine.state = None
        return TOP
    if name == "input":
        engine.inputs.append(node)
    if arguments.exact and not takes(engine, node, name, arguments):
        return RESULTS.get(name, TOP)
    special = _SPECIAL.get(name)
    result = None
    if special is not None and arguments.values and arguments.exact:
        result = special(engine, node, arguments)
    elif name in ("list", "dict", "set") and arguments.exact and not arguments.values and not arguments.keywords:
        mask = {"list": LIST, "dict": DICT, "set": SET}[name]
        return engine.allocate(mask, Contents(None, 0, 0, () if mask == LIST else None, frozenset()))
    if name not in CHANGES_NOTHING:
        for value in (*arguments.values, *arguments.keywords.values()):
            engine.here.forget(value)
    if result is not None:
        return result
    if name in ("list", "dict", "set", "tuple"):
        return kind({"list": LIST, "dict": DICT, "set": SET, "tuple": TUPLE}[name])
    return RESULTS.get(name, TOP)


def _bad_argument(
    engine: Engine, node: ast.Call, name: str, value: Value, fits: int, place: int = 0, key: str = "bad-argument"
) -> bool:
    """Note that the argument at ``place`` is of no kind in ``fits``; whether it was noted."""
    mask = operand_mask(value)
    if mask & fits & ~OTHER or (mask & OTHER and not everyday(mask & ~fits)):
        engine.refine(node.args[place], fits | OTHER)
        return False
    doubt = GUESS if mask & OTHER else 0
    arguments = {"name": name, "kind": say(value), "text": containers.text_of(node.args[place])}
    engine.report(key, Label.TYPE_ERROR, node, arguments, exception="TypeError", doubt=doubt)
    return True


def _len(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    value = arguments.values[0]
    sized = ITERABLE & ~ITERATOR
    if _bad_argument(engine, node, "len", value, sized, key="no-length"):
        return INT_VALUE
    shortest, longest = containers.length_bounds(engine, value)
    if shortest == longest:
        return constant(shortest)
    return Value(INT, length=Length(value.origin, 0, True)) if value.origin else INT_VALUE


def _range(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    for place, value in enumerate(arguments.values):
        key = "float-range" if value.mask & FLOAT else "text-range" if value.mask & STR else "bad-range"
        _bad_argument(engine, node, "range", value, INT | BOOL, place, key)
    constants = [value.const for value in arguments.values]
    if all(type(value) is int and small(value) for value in constants):
        if len(constants) == 3 and constants[2] == 0:
            engine.report("range-step-zero", Label.VALUE_ERROR, node, exception="ValueError")
            return kind(RANGE, elem=INT_VALUE)
        known = range(*constants)
        try:
            len(known)
        except OverflowError:
            return kind(RANGE, elem=INT_VALUE)
        return kind(RANGE, elem=INT_VALUE, ref=known)
    stop = arguments.values[0] if len(arguments.values) == 1 else arguments.values[1]
    length = stop.length
    if length is not None and len(arguments.values) < 3:
        last = Value(INT, length=Length(length.origin, length.offset - 1, False))
        return kind(RANGE, elem=last)
    return kind(RANGE, elem=INT_VALUE)


def _convert(engine: Engine, node: ast.Call, arguments: Arguments, name: str, to: Callable[[Any], Any]) -> Value:
    value = arguments.values[0]
    result = INT_VALUE if name == "int" else FLOAT_VALUE
    if len(arguments.values) > 1 or arguments.keywords:
        return result
    if _bad_argument(engine, node, name, value, NUMBER | STR | BYTES, key="cannot-convert"):
        return result
    if is_constant(value) and small(value.const):
        try:
            return constant(to(value.const))
        except ValueError:
            engine.report("bad-number-text", Label.VALUE_ERROR, node, {"name": name, "text": repr(value.const)[:40]},
                          exception="ValueError")  # fmt: skip
        except (OverflowError, TypeError):
            pass
    return result


def _int(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    return _convert(engine, node, arguments, "int", int)


def _float(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    return _convert(engine, node, arguments, "float", float)


def _str(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    value = arguments.values[0]
    if is_constant(value) and small(value.const) and not isinstance(value.const, (float, complex)):
        return constant(str(value.const))
    return STR_VALUE


def _iterating(mask: int) -> Callable[[Engine, ast.Call, Arguments], Value]:
    def result(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
        value = arguments.values[0]
        elem = containers.iterate(engine, node.args[0], value)
        shortest, longest = containers.length_bounds(engine, value)
        if mask == ITERATOR:
            return kind(ITERATOR, elem=elem)
        if mask == TUPLE:
            return kind(TUPLE, elem=elem)
        if mask == SET:
            shortest = min(shortest, 1)
        return engine.allocate(mask, Contents(None if longest == 0 else elem, shortest, longest))

    return result


def _enumerate(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    elem = containers.iterate(engine, node.args[0], arguments.values[0])
    pair = (INT_VALUE, elem)
    return kind(ITERATOR, elem=Value(TUPLE, MISSING, elem=TOP, ref=pair))


def _zip(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    parts = tuple(containers.iterate(engine, n, v) for n, v in zip(node.args, arguments.values, strict=True))
    return kind(ITERATOR, elem=Value(TUPLE, MISSING, elem=TOP, ref=parts))


def _map(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    for argument, value in zip(node.args[1:], arguments.values[1:], strict=True):
        containers.iterate(engine, argument, value)
    function = arguments.values[0].ref
    results = {"int": INT_VALUE, "float": FLOAT_VALUE, "str": STR_VALUE, "len": INT_VALUE}
    elem = results.get(function.name) if isinstance(function, BuiltinRef) else None
    return kind(ITERATOR, elem=elem)


def _sum(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    value = arguments.values[0]
    elem = containers.iterate(engine, node.args[0], value)
    if len(arguments.values) == 1 and containers.length_bounds(engine, value)[0] > 0:
        result, _, _, doubt = judge(ast.Add, INT, operand_mask(elem))
        if doubt is not None:
            report_operands(engine, node, ast.Add, INT_VALUE, elem, doubt)
        return kind(result)
    return kind(INT | elem.mask & ANY if elem.mask != TOP.mask else ANY)


def _extreme(name: str) -> Callable[[Engine, ast.Call, Arguments], Value]:
    def result(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
        values = arguments.values
        if len(values) > 1:
            first = values[0]
            mask = 0
            for value in values:
                mask |= value.mask
                if value is not first and not arguments.keywords:
                    _, _, _, doubt = judge(ast.Lt, operand_mask(value), operand_mask(first))
                    if doubt is not None:
                        report_operands(engine, node, ast.Lt, value, first, doubt)
                        return TOP
            return kind(mask)
        elem = containers.iterate(engine, node.args[0], values[0])
        longest = containers.length_bounds(engine, values[0])[1]
        if longest == 0 and "default" not in arguments.keywords and not operand_mask(values[0]) & OTHER:
            engine.report("extreme-of-empty", Label.VALUE_ERROR, node,
                          {"name": name, "text": containers.text_of(node.args[0])}, exception="ValueError")  # fmt: skip
        return elem

    return result


def _abs(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    value = arguments.values[0]
    if _bad_argument(engine, node, "abs", value, NUMBER):
        return TOP if value.mask & OTHER else kind(NUMBER)
    if is_constant(value) and isinstance(value.const, (int, float)):
        return constant(abs(value.const))
    return kind(INT if value.mask == INT else ANY if value.mask & OTHER else NUMBER)


def _round(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    value = arguments.values[0]
    _bad_argument(engine, node, "round", value, NUMBER)
    if len(arguments.values) == 1 and not value.mask & OTHER:
        return INT_VALUE
    return kind(INT | FLOAT if not value.mask & OTHER else ANY)


def _ord(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    value = arguments.values[0]
    _bad_argument(engine, node, "ord", value, STR | BYTES)
    if isinstance(value.const, str):
        if len(value.const) == 1:
            return constant(ord(value.const))
        engine.report("ord-of-text", Label.TYPE_ERROR, node, {"length": len(value.const)}, exception="TypeError")
    return INT_VALUE


def _chr(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    _bad_argument(engine, node, "chr", arguments.values[0], INT | BOOL)
    return STR_VALUE


def _next(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    mask = operand_mask(arguments.values[0])
    if not mask & (ITERATOR | OTHER):
        engine.report("not-iterator", Label.TYPE_ERROR, node, {"kind": say(arguments.values[0])}, exception="TypeError")
    return arguments.values[0].elem or TOP


def _iter(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    if len(arguments.values) > 1:  # calls the first until it gives the second
        return kind(ITERATOR)
    return _iterating(ITERATOR)(engine, node, arguments)


_CLASS_KINDS: Final = {
    "int": INT | BOOL, "float": FLOAT, "complex": COMPLEX, "str": STR, "bool": BOOL, "bytes": BYTES, "list": LIST,
    "tuple": TUPLE, "dict": DICT, "set": SET, "range": RANGE, "bytearray": OTHER, "memoryview": OTHER,
    "slice": OTHER,
}  # fmt: skip
_HAS_SUBCLASSES: Final = OTHER | INSTANCE | CLASS | FUNCTION | BUILTIN | MODULE | ITERATOR | VIEW


def _isinstance(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    """What is known of a value's kind decides, where it is one of Python's everyday kinds."""
    if len(arguments.values) != 2:
        return BOOL_VALUE
    given, classes = arguments.values
    mask = given.mask & ~MAYBE_UNBOUND
    wanted, sure = 0, True
    for each in classes.ref if classes.mask == TUPLE and isinstance(classes.ref, tuple) else (classes,):
        known = _CLASS_KINDS.get(each.ref.name) if isinstance(each.ref, BuiltinRef) else None
        if isinstance(each.ref, ClassRef) and each.mask == CLASS:
            known = 0  # a class of the program: no value of Python's own kinds is one of its objects
        sure &= known is not None
        wanted |= known or 0
    if not mask or mask & _HAS_SUBCLASSES:
        return BOOL_VALUE
    if not mask & ~wanted:
        return constant(True)
    return constant(False) if sure and not mask & wanted else BOOL_VALUE


def _pow(engine: Engine, node: ast.Call, arguments: Arguments) -> Value:
    if len(arguments.values) == 2:
        result, _, _, doubt = judge(ast.Pow, operand_mask(arguments.values[0]), operand_mask(arguments.values[1]))
        if doubt is not None:
            report_operands(engine, node, ast.Pow, arguments.values[0], arguments.values[1], doubt)
        return kind(result)
    return TOP


_SPECIAL: Final[dict[str, Callable[[Any, Any, Any], Value]]] = {
    "len": _len, "range": _range, "int": _int, "float": _float, "str": _str, "list": _iterating(LIST),
    "tuple": _iterating(TUPLE), "set": _iterating(SET), "sorted": _iterating(LIST), "reversed": _iterating(ITERATOR),
    "iter": _iter, "enumerate": _enumerate, "zip": _zip, "map": _map, "sum": _sum,
    "max": _extreme("max"), "min": _extreme("min"), "abs": _abs, "round": _round, "ord": _ord, "chr": _chr,
    "next": _next, "pow": _pow, "isinstance": _isinstance,
}  # fmt: skip
