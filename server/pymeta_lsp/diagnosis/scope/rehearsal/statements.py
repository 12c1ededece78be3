"""One closure maker for each statement, and for each target of an assignment.

A closure returns None to go on, or a signal: ``BREAK``, ``CONTINUE``, ``RETURN``.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from . import library
from .expressions import make_function, read_outer
from .flow import BREAK, CONTINUE, RETURN, for_loop, if_statement, try_statement, while_loop
from .limits import LONGEST, UnknownError, check_iterables, weigh
from .marks import mark, unknown
from .objects import OPAQUE, Class, Frame
from .operations import BINARY
from .targets import name_target, target

if TYPE_CHECKING:
    from .machine import Evaluate, Execute, Machine


# -- targets


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
        return unknown

    def run(frame: Frame) -> None:
        old, right = read(frame), value(frame)
        result: Any
        try:
            if type(old) is list and isinstance(node.op, ast.Add):
                check_iterables((right,))
                if not isinstance(right, (list, tuple, str)):
                    right = list(itertools.islice(right, LONGEST))  # what it runs may make ``old`` longer all the while
                if len(old) + len(right) > LONGEST:
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
            parts.append(unknown)

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
        return unknown
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
            name_target(machine, alias.asname or alias.name.partition(".")[0]),
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
        (name_target(machine, alias.asname or alias.name), members.get(alias.name, OPAQUE))
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


# -- definitions


def _function(machine: Machine, node: ast.FunctionDef) -> Execute:
    if node.decorator_list:
        assignunknown = name_target(machine, node.name)
        return lambda frame: assignunknown(frame, OPAQUE)
    defaults = [machine.expression(part) for part in node.args.defaults]
    keyword_defaults = [None if part is None else machine.expression(part) for part in node.args.kw_defaults]
    assign = name_target(machine, node.name)

    def run(frame: Frame) -> None:
        assign(frame, make_function(machine, node, frame, defaults, keyword_defaults))

    return run


def _class(machine: Machine, node: ast.ClassDef) -> Execute:
    body, assign = machine.block(node.body), name_target(machine, node.name)
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


STATEMENTS: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Expr: _expression, ast.Assign: _assignment, ast.AnnAssign: _annotated, ast.AugAssign: _augmented,
    ast.Delete: _delete, ast.Return: _return, ast.Raise: _raise, ast.Assert: _assert, ast.Import: _import,
    ast.ImportFrom: _import_from, ast.If: if_statement, ast.For: for_loop, ast.While: while_loop, ast.Try: try_statement,
    ast.FunctionDef: _function, ast.ClassDef: _class, ast.Pass: _nothing, ast.Global: _nothing,
    ast.Nonlocal: _nothing, ast.Break: lambda machine, node: lambda frame: BREAK,
    ast.Continue: lambda machine, node: lambda frame: CONTINUE,
}  # fmt: skip
