"""One closure maker for each expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from pymeta_lsp.diagnosis.scope.symbols import BUILTINS as BUILTIN_NAMES

from . import library
from .limits import UnknownError, check_iterables, element, sized
from .marks import NO_DEFAULT, mark, unknown
from .objects import OPAQUE, Class, Frame, Function, Method, Opaque, generator
from .operations import binary, boolean, compare, conditional, unary, work

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.scope.symbols import Scope

    from .machine import Evaluate, Machine


def _constant(machine: Machine, node: ast.Constant) -> Evaluate:
    value = node.value
    return lambda frame: value


def _name(machine: Machine, node: ast.Name) -> Evaluate:
    name = node.id

    def read(frame: Frame) -> Any:
        value = frame.variables.get(name, NO_DEFAULT)
        if value is not NO_DEFAULT:
            return value
        return read_outer(machine, frame, node)

    return read


def read_outer(machine: Machine, frame: Frame, node: ast.Name) -> Any:
    """A name that the running block itself has no value for."""
    name = node.id
    owner = frame.scope.owner(name)
    if owner is frame.scope and owner.kind == "function":
        error: Exception = UnboundLocalError(f"cannot access local variable '{name}'")
        mark(error, node)
        raise error
    holder: Frame | None = frame.outer
    while holder is not None and holder.scope is not owner:
        holder = holder.outer
    for place in (holder, machine.module):
        if place is not None and name in place.variables:
            value = place.variables[name]
            if value is None and place is machine.module and machine.symbols.may_be_filled(name):
                return OPAQUE
            return value
    if name in library.BUILTINS:
        return library.BUILTINS[name]
    if name == "input":
        return machine.read_input
    if name == "print":
        return machine.print
    if name == "__name__":
        return "__main__"
    if name in BUILTIN_NAMES or name.startswith("__") or machine.names_unknown(name):
        return OPAQUE
    error = NameError(f"name '{name}' is not defined")
    mark(error, node)
    raise error


# -- operators


# -- displays


def _sequence(make: Callable[[list[Any]], Any]) -> Callable[[Machine, Any], Evaluate]:
    def maker(machine: Machine, node: ast.List | ast.Tuple | ast.Set) -> Evaluate:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            return _starred_display(machine, node, make)
        parts = [machine.expression(part) for part in node.elts]

        def evaluate(frame: Frame) -> Any:
            values = [element(part(frame)) for part in parts]
            try:
                return make(values)
            except Exception as error:
                mark(error, node)
                raise

        return evaluate

    return maker


def _starred_display(machine: Machine, node: Any, make: Callable[[list[Any]], Any]) -> Evaluate:
    parts = [
        (isinstance(part, ast.Starred), machine.expression(part.value if isinstance(part, ast.Starred) else part))
        for part in node.elts
    ]

    def evaluate(frame: Frame) -> Any:
        values: list[Any] = []
        for starred, part in parts:
            value = part(frame)
            try:
                check_iterables((value,))
                values.extend(machine.in_order(value)) if starred else values.append(element(value))
            except Exception as error:
                mark(error, node)
                raise
        return sized(make(values))

    return evaluate


def _dict(machine: Machine, node: ast.Dict) -> Evaluate:
    if any(key is None for key in node.keys):
        return unknown
    parts = [
        (machine.expression(key), machine.expression(value))
        for key, value in zip(node.keys, node.values, strict=True)
        if key is not None
    ]

    def evaluate(frame: Frame) -> Any:
        result = {}
        for key, value in parts:
            name = key(frame)
            try:
                result[name] = element(value(frame))
            except TypeError as error:
                mark(error, node)
                raise
        return result

    return evaluate


def _text(machine: Machine, node: ast.JoinedStr) -> Evaluate:
    parts = [machine.expression(part) for part in node.values]

    def evaluate(frame: Frame) -> Any:
        text = sized("".join([str(part(frame)) for part in parts]))
        machine.charge(len(text) >> 4)
        return text

    return evaluate


def _formatted(machine: Machine, node: ast.FormattedValue) -> Evaluate:
    value = machine.expression(node.value)
    spec = machine.expression(node.format_spec) if node.format_spec is not None else None

    def evaluate(frame: Frame) -> Any:
        content = value(frame)
        if node.conversion == 114:
            content = repr(library.readable(content))
        elif node.conversion == 115:
            content = library.written(content)
        elif node.conversion != -1:
            raise UnknownError
        try:
            return library.formatted(content, spec(frame) if spec is not None else "")
        except Exception as error:
            mark(error, node.value)
            raise

    return evaluate


# -- calls, attributes, subscripts


def _call(machine: Machine, node: ast.Call) -> Evaluate:
    function = machine.expression(node.func)
    if any(part.arg is None for part in node.keywords):
        return unknown
    if any(isinstance(part, ast.Starred) for part in node.args):
        spread = _starred_display(machine, ast.copy_location(ast.List(node.args, ast.Load()), node), tuple)
    else:
        spread = None
    parts = [] if spread else [machine.expression(part) for part in node.args]
    keyword_parts = [(part.arg or "", machine.expression(part.value)) for part in node.keywords]

    def evaluate(frame: Frame) -> Any:
        called = function(frame)
        values = spread(frame) if spread is not None else tuple([part(frame) for part in parts])
        if library.order_matters(called, keyword_parts):
            values = tuple([machine.in_order(value) for value in values])
        keywords = {name: part(frame) for name, part in keyword_parts}
        for value in values:
            cost = work(value)
            if cost:
                machine.charge(cost)
        try:
            return call(machine, called, values, keywords)
        except Exception as error:
            mark(error, node, getattr(called, "__self__", None), *values)
            raise

    return evaluate


def call(machine: Machine, called: Any, values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """``called(*values, **keywords)`` by the machine's rules."""
    kind = type(called)
    if kind is Function:
        return machine.call_function(called, values, keywords)
    if kind is Method:
        return called(*values, **keywords)
    if kind is library.BuiltinMethod:
        return library.call_method(called.method, values, keywords)
    if kind is Class:
        return machine.construct(called, values, keywords)
    if isinstance(called, Opaque):
        raise UnknownError
    if kind in library.VALUE_TYPES or not callable(called):
        raise TypeError(f"'{kind.__name__}' object is not callable")
    owner = getattr(called, "__self__", None)
    if owner is not None and type(owner) in library.VALUE_TYPES:
        return library.call_method(called, values, keywords)
    return library.call_builtin(called, values, keywords)


def _attribute(machine: Machine, node: ast.Attribute) -> Evaluate:
    value = machine.expression(node.value)
    name = node.attr
    private = name.startswith("__") and not name.endswith("__")

    def evaluate(frame: Frame) -> Any:
        owner = value(frame)
        if private and machine.is_played and not _in_class(frame):
            raise UnknownError  # inside of a class it has another name
        try:
            return library.attribute(owner, name)
        except Exception as error:
            mark(error, node, owner)
            raise

    return evaluate


def _in_class(frame: Frame) -> bool:
    scope: Scope | None = frame.scope
    while scope is not None and scope.kind != "class":
        scope = scope.parent
    return scope is not None


def _subscript(machine: Machine, node: ast.Subscript) -> Evaluate:
    value, index = machine.expression(node.value), machine.expression(node.slice)

    def evaluate(frame: Frame) -> Any:
        owner, place = value(frame), index(frame)
        if isinstance(owner, type) or owner is library.BUILTINS["type"]:
            raise UnknownError
        return item_of(owner, place, node)

    return evaluate


def item_of(owner: Any, place: Any, node: ast.AST) -> Any:
    """``owner[place]``."""
    try:
        return owner[place]
    except Exception as error:
        mark(error, node, owner, place)
        raise


def _slice(machine: Machine, node: ast.Slice) -> Evaluate:
    parts = [None if part is None else machine.expression(part) for part in (node.lower, node.upper, node.step)]

    def evaluate(frame: Frame) -> Any:
        return slice(*[None if part is None else part(frame) for part in parts])

    return evaluate


# -- scopes of their own


def _lambda(machine: Machine, node: ast.Lambda) -> Evaluate:
    defaults = [machine.expression(part) for part in node.args.defaults]
    keyword_defaults = [None if part is None else machine.expression(part) for part in node.args.kw_defaults]
    return lambda frame: make_function(machine, node, frame, defaults, keyword_defaults)


def make_function(
    machine: Machine, node: Any, frame: Frame, defaults: list[Evaluate], keyword_defaults: list[Evaluate | None]
) -> Function:
    """A function made while ``frame`` runs; a class body lends its methods no names."""
    outer = frame
    while outer.scope.kind == "class" and outer.outer is not None:
        outer = outer.outer
    return Function(
        machine,
        node,
        outer,
        [part(frame) for part in defaults],
        [NO_DEFAULT if part is None else part(frame) for part in keyword_defaults],
    )


def _comprehension(machine: Machine, node: Any) -> Evaluate:
    scope = machine.symbols.scopes[node]
    levels = [
        (machine.expression(g.iter), machine.target(g.target), [machine.expression(test) for test in g.ifs], g.iter)
        for g in node.generators
    ]
    if isinstance(node, ast.DictComp):
        key, result = machine.expression(node.key), machine.expression(node.value)
    else:
        key, result = None, machine.expression(node.elt)

    price = 1 + (library.size(node) >> 6)

    def turns(inner: Frame, level: int, iterator: Iterator[Any]) -> Iterator[Any]:
        _, assign, tests, source_node = levels[level]
        while True:
            try:
                item = next(iterator)
            except StopIteration:
                return
            except Exception as error:
                mark(error, source_node)
                raise
            machine.charge(price)
            assign(inner, item)
            if not all([test(inner) for test in tests] if len(tests) < 2 else (test(inner) for test in tests)):
                continue
            if level + 1 < len(levels):
                yield from turns(inner, level + 1, begin(level + 1, inner))
            elif key is not None:
                yield key(inner), element(result(inner))
            else:
                yield element(result(inner))

    def begin(level: int, frame: Frame) -> Iterator[Any]:
        source = levels[level][0](frame)
        try:
            return iter(machine.in_order(source))
        except Exception as error:
            mark(error, levels[level][3])
            raise

    def evaluate(frame: Frame) -> Any:
        items = turns(Frame(scope, frame), 0, begin(0, frame))
        try:
            if isinstance(node, ast.DictComp):
                return dict(items)
            if isinstance(node, ast.SetComp):
                return set(items)
        except Exception as error:
            mark(error, node)
            raise
        return generator(machine, items) if isinstance(node, ast.GeneratorExp) else list(items)

    return evaluate


def _walrus(machine: Machine, node: ast.NamedExpr) -> Evaluate:
    value, assign = machine.expression(node.value), machine.target(node.target)

    def evaluate(frame: Frame) -> Any:
        result = value(frame)
        holder = frame
        while holder.scope.kind == "comprehension" and holder.outer is not None:
            holder = holder.outer
        assign(holder, result)
        return result

    return evaluate


EXPRESSIONS: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Constant: _constant, ast.Name: _name, ast.BinOp: binary, ast.UnaryOp: unary, ast.BoolOp: boolean,
    ast.Compare: compare, ast.IfExp: conditional, ast.List: _sequence(list), ast.Tuple: _sequence(tuple),
    ast.Set: _sequence(set), ast.Dict: _dict, ast.JoinedStr: _text, ast.FormattedValue: _formatted, ast.Call: _call,
    ast.Attribute: _attribute, ast.Subscript: _subscript, ast.Slice: _slice, ast.Lambda: _lambda,
    ast.ListComp: _comprehension, ast.SetComp: _comprehension, ast.DictComp: _comprehension,
    ast.GeneratorExp: _comprehension, ast.NamedExpr: _walrus,
}  # fmt: skip
