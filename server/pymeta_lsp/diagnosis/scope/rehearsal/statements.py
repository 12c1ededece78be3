"""One closure maker for each statement, and for each target of an assignment.

A closure returns None to go on, or a signal: ``BREAK``, ``CONTINUE``, ``RETURN``.
"""

from __future__ import annotations

import ast
import collections
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from . import library
from .expressions import make_function, read_outer
from .flow import BREAK, CONTINUE, RETURN, for_loop, if_statement, try_statement, while_loop
from .limits import LONGEST, UnknownError, check_iterables, sized, weigh
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
    names = _annotation_names(machine, [node.annotation])

    def run(frame: Frame) -> None:
        assign(frame, value(frame))
        if frame.scope.kind != "function":
            for name in names:
                name(frame)

    return run


def _annotation_names(machine: Machine, annotations: Sequence[ast.expr | None]) -> list[Evaluate]:
    """The names that Python looks up where it meets annotations; not from 3.14 on, nor where the program asks it not to."""
    if any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in machine.tree.body):
        return []
    parts = [part for part in annotations if part is not None]
    return [machine.expression(each) for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)]


def _augmented(machine: Machine, node: ast.AugAssign) -> Execute:
    place = node.target
    value, function = machine.expression(node.value), BINARY.get(type(node.op))
    if function is None:
        return unknown
    if not isinstance(place, ast.Name):
        return _augmented_part(machine, node, place)
    read = machine.expression(ast.copy_location(ast.Name(place.id, ast.Load()), place))
    assign = target(machine, place)

    def run(frame: Frame) -> None:
        old = read(frame)
        assign(frame, _changed(node, old, value(frame), function))

    return run


def _augmented_part(machine: Machine, node: ast.AugAssign, place: ast.Attribute | ast.Subscript) -> Execute:
    """``owner[index] += value`` and ``owner.name += value``: ``owner`` and ``index`` are worked out once."""
    owner, value, function = machine.expression(place.value), machine.expression(node.value), BINARY[type(node.op)]
    index = machine.expression(place.slice) if isinstance(place, ast.Subscript) else None
    holder_read, index_read = ast.Name("holder", ast.Load()), ast.Name("index", ast.Load())
    part: ast.expr
    if isinstance(place, ast.Subscript):
        part = ast.copy_location(ast.Subscript(holder_read, index_read, ast.Store()), place)
    else:
        part = ast.copy_location(ast.Attribute(holder_read, place.attr, ast.Store()), place)
    read, assign = machine.expression(part), target(machine, part)

    def run(frame: Frame) -> None:
        known = Frame(frame.scope, frame.outer)
        known.variables["holder"] = owner(frame)
        if index is not None:
            known.variables["index"] = index(frame)
        old = read(known)
        assign(known, _changed(node, old, value(frame), function))

    return run


_IN_PLACE: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.iadd, ast.Sub: operator.isub, ast.Mult: operator.imul, ast.BitOr: operator.ior,
    ast.BitAnd: operator.iand, ast.BitXor: operator.ixor,
}  # fmt: skip


def _changed(node: ast.AugAssign, old: Any, right: Any, function: Callable[[Any, Any], Any]) -> Any:
    """What ``old`` becomes: itself, changed, where it is a list, a set or the like."""
    kind = type(old)
    try:
        if kind is list and isinstance(node.op, ast.Add):
            check_iterables((right,))
            if not isinstance(right, (list, tuple, str)):
                right = list(itertools.islice(right, LONGEST))  # what it runs may make ``old`` longer all the while
            if len(old) + len(right) > LONGEST:
                raise UnknownError
            old += right
            return old
        if kind in (list, set, dict, collections.deque, collections.Counter) and type(node.op) in _IN_PLACE:
            if kind is not list:
                weigh(right, LONGEST)
                weigh(old, LONGEST)
            elif isinstance(right, int) and len(old) * right > LONGEST:
                raise UnknownError
            return sized(_IN_PLACE[type(node.op)](old, right))
        return function(old, right)
    except Exception as error:
        mark(error, node)
        raise


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
    signature = node.args
    arguments = [*signature.posonlyargs, *signature.args, *signature.kwonlyargs, signature.vararg, signature.kwarg]
    names = _annotation_names(machine, [*(each.annotation for each in arguments if each is not None), node.returns])

    def run(frame: Frame) -> None:
        for name in names:
            name(frame)
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
            # One with methods of its own: what they would do is not known.
            assign(frame, OPAQUE if inner.variables else type(node.name, (base,), {}))
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
