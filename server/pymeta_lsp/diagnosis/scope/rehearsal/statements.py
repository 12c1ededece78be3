"""One closure maker for each statement, and for each target of an assignment.

A closure returns None to go on, or a signal: ``BREAK``, ``CONTINUE``, ``RETURN``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from . import library
from .expressions import BINARY, make_function, read_outer
from .limits import LONGEST, EndlessError, UnknownError, check_iterables, element, weigh
from .marks import mark
from .objects import OPAQUE, Class, Frame, Function, Instance, Opaque

if TYPE_CHECKING:
    from .machine import Evaluate, Execute, Machine

BREAK: Final = "break"
CONTINUE: Final = "continue"
RETURN: Final = "return"
_PATIENCE: Final = 32
"""Turns of a ``while`` loop before its states are compared; a power of two."""


# -- targets


def target(machine: Machine, node: ast.expr) -> Callable[[Frame, Any], None]:
    """The closure that assigns to ``node``."""
    if isinstance(node, ast.Name):
        return _name_target(machine, node.id)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _unpacking(machine, node)
    if isinstance(node, ast.Subscript):
        return _item_target(machine, node)
    if isinstance(node, ast.Attribute):
        return _attribute_target(machine, node)
    return _unknown_target


def _name_target(machine: Machine, name: str) -> Callable[[Frame, Any], None]:
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
            values = list(value)
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
        try:
            holder[place] = element(value)
        except Exception as error:
            mark(error, node)
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


# -- simple statements


def _expression(machine: Machine, node: ast.Expr) -> Execute | None:
    if isinstance(node.value, ast.Constant):
        return None
    value = machine.expression(node.value)

    def run(frame: Frame) -> None:
        value(frame)

    return run


def _assignment(machine: Machine, node: ast.Assign) -> Execute:
    value = machine.expression(node.value)
    targets = [target(machine, part) for part in node.targets]
    if len(targets) == 1:
        single = targets[0]

        def run_single(frame: Frame) -> None:
            single(frame, value(frame))

        return run_single

    def run(frame: Frame) -> None:
        result = value(frame)
        for part in targets:
            part(frame, result)

    return run


def _annotated(machine: Machine, node: ast.AnnAssign) -> Execute | None:
    if node.value is None:
        return None
    value, assign = machine.expression(node.value), target(machine, node.target)

    def run(frame: Frame) -> None:
        assign(frame, value(frame))

    return run


def _augmented(machine: Machine, node: ast.AugAssign) -> Execute:
    place = node.target
    read: Evaluate
    if isinstance(place, ast.Name):
        name = ast.copy_location(ast.Name(place.id, ast.Load()), place)
        read = machine.expression(name)
    else:
        read = machine.expression(place)
    value, assign, function = machine.expression(node.value), target(machine, place), BINARY.get(type(node.op))
    if function is None:
        return _unknown

    def run(frame: Frame) -> None:
        old, right = read(frame), value(frame)
        result: Any
        try:
            if type(old) is list and isinstance(node.op, ast.Add):
                check_iterables((right,))
                if isinstance(right, (list, tuple, str)) and len(old) + len(right) > LONGEST:
                    raise UnknownError
                old += right
                result = old
            elif type(old) is dict and isinstance(node.op, ast.BitOr):
                weigh(right)
                old |= right  # unlike ``|``, it takes pairs of any kind
                result = old
            else:
                result = function(old, right)
        except Exception as error:
            mark(error, node)
            raise
        assign(frame, result)

    return run


def _delete(machine: Machine, node: ast.Delete) -> Execute:
    parts: list[Execute] = []
    for part in node.targets:
        if isinstance(part, ast.Name):
            parts.append(_delete_name(machine, part))
        elif isinstance(part, ast.Subscript):
            parts.append(_delete_item(machine, part))
        else:
            parts.append(_unknown)

    def run(frame: Frame) -> None:
        for delete in parts:
            delete(frame)

    return run


def _delete_name(machine: Machine, node: ast.Name) -> Execute:
    def run(frame: Frame) -> None:
        if node.id not in frame.variables:
            read_outer(machine, frame, node)
            raise UnknownError
        del frame.variables[node.id]

    return run


def _delete_item(machine: Machine, node: ast.Subscript) -> Execute:
    owner, index = machine.expression(node.value), machine.expression(node.slice)

    def run(frame: Frame) -> None:
        holder, place = owner(frame), index(frame)
        if type(holder) not in library.VALUE_TYPES:
            raise UnknownError
        try:
            del holder[place]
        except Exception as error:
            mark(error, node)
            raise

    return run


def _return(machine: Machine, node: ast.Return) -> Execute:
    if node.value is None:
        return lambda frame: RETURN
    value = machine.expression(node.value)

    def run(frame: Frame) -> str:
        frame.result = value(frame)
        return RETURN

    return run


def _raise(machine: Machine, node: ast.Raise) -> Execute:
    if node.exc is None:
        return _unknown
    value = machine.expression(node.exc)

    def run(frame: Frame) -> None:
        raised = value(frame)
        if isinstance(raised, type) and issubclass(raised, Exception):
            raised = raised()
        if not isinstance(raised, Exception):
            raise UnknownError
        mark(raised, node)
        raise raised

    return run


def _assert(machine: Machine, node: ast.Assert) -> Execute:
    test = machine.expression(node.test)

    def run(frame: Frame) -> None:
        if not test(frame):
            error = AssertionError()
            mark(error, node)
            raise error

    return run


def _import(machine: Machine, node: ast.Import) -> Execute:
    assigns = [
        (
            _name_target(machine, alias.asname or alias.name.partition(".")[0]),
            library.MODULES.get(alias.name),
            alias.name,
        )
        for alias in node.names
    ]

    def run(frame: Frame) -> None:
        for assign, members, name in assigns:
            assign(frame, OPAQUE if members is None else library.Module(name, members))

    return run


def _import_from(machine: Machine, node: ast.ImportFrom) -> Execute:
    members = library.MODULES.get(node.module or "", {})
    assigns = [
        (_name_target(machine, alias.asname or alias.name), members.get(alias.name, OPAQUE))
        for alias in node.names
        if alias.name != "*"
    ]
    starred = members if len(assigns) < len(node.names) else {}

    def run(frame: Frame) -> None:
        for assign, value in assigns:
            assign(frame, value)
        frame.variables.update(starred)

    return run


# -- branches and loops


def _if(machine: Machine, node: ast.If) -> Execute:
    test, body, other = machine.expression(node.test), machine.block(node.body), machine.block(node.orelse)
    return lambda frame: body(frame) if test(frame) else other(frame)


def _for(machine: Machine, node: ast.For) -> Execute:
    source, assign = machine.expression(node.iter), target(machine, node.target)
    body, other = machine.block(node.body), machine.block(node.orelse)

    def run(frame: Frame) -> Any:
        values = source(frame)
        try:
            iterator = iter(values)
        except Exception as error:
            mark(error, node.iter)
            raise
        while True:
            try:
                item = next(iterator)
            except StopIteration:
                break
            except Exception as error:
                mark(error, node.iter)
                raise
            machine.charge(1)
            assign(frame, item)
            signal = body(frame)
            if signal is BREAK:
                return None
            if signal is RETURN:
                return signal
        return other(frame)

    return run


def _while(machine: Machine, node: ast.While) -> Execute:
    test, body, other = machine.expression(node.test), machine.block(node.body), machine.block(node.orelse)

    def run(frame: Frame) -> Any:
        turns = 0
        seen = ""
        while test(frame):
            machine.charge(1)
            turns += 1
            if turns >= _PATIENCE:
                state = snapshot(machine, frame)
                if state == seen:
                    raise EndlessError(node)
                if turns & (turns - 1) == 0:  # Brent's way to find a cycle: remember at every power of two
                    seen = state
            signal = body(frame)
            if signal is BREAK:
                return None
            if signal is RETURN:
                return signal
        return other(frame)

    return run


def snapshot(machine: Machine, frame: Frame) -> str:
    """All that the next turn of a loop can depend on, as text; text that never comes again where that is not known."""
    parts = [str(machine.inputs_read)]
    holder: Frame | None = frame
    while holder is not None:
        for name, value in holder.variables.items():
            if not isinstance(value, (Function, Class, library.Module)):
                try:
                    parts.append(f"{name}={library.plain(value)!r}")
                except UnknownError:
                    machine.unrepeatable += 1
                    parts.append(f"{name}?{machine.unrepeatable}")
        holder = holder.outer
    return ";".join(parts)


def _try(machine: Machine, node: ast.Try) -> Execute:
    body, other, final = machine.block(node.body), machine.block(node.orelse), machine.block(node.finalbody)
    handlers = [
        (None if part.type is None else machine.expression(part.type), part.name, machine.block(part.body))
        for part in node.handlers
    ]

    def guarded(frame: Frame) -> Any:
        try:
            signal = body(frame)
        except Exception as error:
            for kinds, name, handler in handlers:
                caught = (Exception,) if kinds is None else kinds(frame)
                if isinstance(caught, Opaque) or caught is OPAQUE:
                    raise UnknownError from None
                if isinstance(error, caught):
                    if name is not None:
                        frame.variables[name] = error
                    signal = handler(frame)
                    if name is not None:
                        frame.variables.pop(name, None)
                    return signal
            raise
        return other(frame) if signal is None else signal

    def run(frame: Frame) -> Any:
        try:
            signal = guarded(frame)
        except Exception:
            final(frame)
            raise
        ending = final(frame)
        return signal if ending is None else ending

    return run


# -- definitions


def _function(machine: Machine, node: ast.FunctionDef) -> Execute:
    if node.decorator_list:
        assign_unknown = _name_target(machine, node.name)
        return lambda frame: assign_unknown(frame, OPAQUE)
    defaults = [machine.expression(part) for part in node.args.defaults]
    keyword_defaults = [None if part is None else machine.expression(part) for part in node.args.kw_defaults]
    assign = _name_target(machine, node.name)

    def run(frame: Frame) -> None:
        assign(frame, make_function(machine, node, frame, defaults, keyword_defaults))

    return run


def _class(machine: Machine, node: ast.ClassDef) -> Execute:
    body, assign = machine.block(node.body), _name_target(machine, node.name)
    scope = machine.symbols.scopes[node]
    bases = [machine.expression(base) for base in node.bases]
    plain = not node.decorator_list and not node.keywords and len(bases) <= 1

    def run(frame: Frame) -> None:
        if not plain:
            raise UnknownError
        base = bases[0](frame) if bases else None
        inner = Frame(scope, frame)
        body(inner)
        if isinstance(base, type) and issubclass(base, Exception):
            assign(frame, type(node.name, (base,), {}))
            return
        if base is object:
            base = None
        if base is not None and type(base) is not Class:
            raise UnknownError
        assign(frame, Class(node.name, inner.variables, base))

    return run


def _nothing(machine: Machine, node: ast.stmt) -> None:
    return None


def _unknown(frame: Frame) -> Any:
    raise UnknownError


STATEMENTS: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Expr: _expression, ast.Assign: _assignment, ast.AnnAssign: _annotated, ast.AugAssign: _augmented,
    ast.Delete: _delete, ast.Return: _return, ast.Raise: _raise, ast.Assert: _assert, ast.Import: _import,
    ast.ImportFrom: _import_from, ast.If: _if, ast.For: _for, ast.While: _while, ast.Try: _try,
    ast.FunctionDef: _function, ast.ClassDef: _class, ast.Pass: _nothing, ast.Global: _nothing,
    ast.Nonlocal: _nothing, ast.Break: lambda machine, node: lambda frame: BREAK,
    ast.Continue: lambda machine, node: lambda frame: CONTINUE,
}  # fmt: skip
