"""What each statement does to the state."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from . import containers
from .arithmetic import binary
from .attributes import attribute
from .binding import assign, assign_name
from .branches import run_if, run_match, run_try, run_with
from .conditions import assume, truth
from .expressions import function_ref
from .frames import EndedError, Frame
from .loops import run_for, run_while
from .state import merge
from .values import (
    CLASS,
    DICT,
    FUNCTION,
    LIST,
    MISSING_NAME,
    MODULE,
    NONE_VALUE,
    TOP,
    ClassRef,
    ModuleMember,
    ModuleRef,
    Value,
    constant,
    join,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine


def run_block(engine: Engine, statements: list[ast.stmt]) -> None:
    """Run statements until one ends the way."""
    frame, loops, catching, muted = engine.frame, len(engine.frame.loops), len(engine.catching), engine.muted
    for statement in statements:
        if engine.state is None:
            return
        engine.spend()
        function = _STATEMENTS.get(type(statement))
        if function is None:
            continue
        try:
            function(engine, statement)
        except EndedError:
            engine.state = None
            engine.frame, engine.muted = frame, muted
            del frame.loops[loops:]
            del engine.catching[catching:]
            return


# -- binding


# -- simple statements


def _expression(engine: Engine, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        engine.evaluate(node.value)


def _assignment(engine: Engine, node: ast.Assign) -> None:
    value = engine.evaluate(node.value)
    for target in node.targets:
        if engine.state is not None:
            assign(engine, target, value)


def _annotated(engine: Engine, node: ast.AnnAssign) -> None:
    if engine.frame.scope.kind != "function" and not engine.symbols.deferred_annotations:
        engine.evaluate(node.annotation)
    if node.value is not None and engine.state is not None:
        value = engine.evaluate(node.value)
        if engine.state is not None:
            assign(engine, node.target, value)


def _augmented(engine: Engine, node: ast.AugAssign) -> None:
    target = node.target
    if isinstance(target, ast.Name):
        read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        old = engine.evaluate(read)
    elif isinstance(target, ast.Subscript):
        old = containers.subscript(engine, target)
    else:
        old = attribute(engine, target)
    right = engine.evaluate(node.value)
    if engine.state is None:
        return
    if old.mask == LIST and isinstance(node.op, ast.Add):
        elem = containers.iterate(engine, node.value, right)
        engine.extend(old, elem, containers.length_bounds(engine, right))
        return
    if old.mask == DICT and isinstance(node.op, ast.BitOr):
        engine.here.forget(old)  # unlike ``|``, ``|=`` takes pairs of any kind
        return
    result, _, right_fits = binary(engine, node, type(node.op), old, right)
    engine.refine(node.value, right_fits)
    if isinstance(target, ast.Name):
        assign_name(engine, target.id, result)
    elif isinstance(target, ast.Subscript):
        engine.muted += 1
        containers.store_item(engine, target, result)
        engine.muted -= 1


def _delete(engine: Engine, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            engine.evaluate(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            assign_name(engine, target.id, MISSING_NAME)
        elif isinstance(target, ast.Subscript):
            containers.delete_item(engine, target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            _delete(engine, ast.Delete(targets=target.elts))
        elif isinstance(target, ast.Attribute):
            engine.evaluate(target.value)


def _return(engine: Engine, node: ast.Return) -> None:
    value = NONE_VALUE if node.value is None else engine.evaluate(node.value)
    frame = engine.frame
    if engine.state is None:
        return
    frame.return_value = value if frame.return_value is None else join(frame.return_value, value)
    frame.returned = merge(frame.returned, engine.state)
    frame.exits += 1
    engine.state = None


def _raise(engine: Engine, node: ast.Raise) -> None:
    for part in (node.exc, node.cause):
        if part is not None:
            engine.evaluate(part)
    if engine.state is None:
        return
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if isinstance(raised, ast.Name) and not engine.state.doubt and not engine.catching and raised.id != "SystemExit":
        stub = raised.id == "NotImplementedError" and engine.frame.scope.kind == "function"
        if not stub:
            engine.report_raised(node, raised.id)
    engine.frame.exits += 1
    engine.state = None


def _assert(engine: Engine, node: ast.Assert) -> None:
    value = engine.evaluate(node.test)
    if engine.state is None:
        return
    if truth(engine, value) is False:
        if isinstance(node.test, ast.Constant) and engine.frame.scope.kind == "function":
            # Written to say that nobody comes here, and that a test would show it.
            engine.frame.exits += 1
            engine.state = None
            return
        engine.report_raised(node, "AssertionError")
    assume(engine, node.test, True)


def _import(engine: Engine, node: ast.Import) -> None:
    for alias in node.names:
        engine.check_module(node, alias.name)
        name = alias.asname or alias.name.partition(".")[0]
        full = alias.name if alias.asname else name
        assign_name(engine, name, Value(MODULE, ref=ModuleRef(full)))


def _import_from(engine: Engine, node: ast.ImportFrom) -> None:
    module = node.module or ""
    if not node.level:
        engine.check_module(node, module)
    for alias in node.names:
        if alias.name == "*":
            continue
        if not node.level:
            engine.check_imported_name(node, module, alias.name)
        assign_name(engine, alias.asname or alias.name, kind(TOP.mask, ref=ModuleMember(module, alias.name)))


def _break(engine: Engine, node: ast.Break) -> None:
    if engine.frame.loops:
        loop = engine.frame.loops[-1]
        loop.breaks = merge(loop.breaks, engine.state)
    engine.state = None


def _continue(engine: Engine, node: ast.Continue) -> None:
    if engine.frame.loops:
        loop = engine.frame.loops[-1]
        loop.continues = merge(loop.continues, engine.state)
    engine.state = None


# -- definitions


def _function(engine: Engine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    engine.defined.add(node)
    for decorator in node.decorator_list:
        engine.evaluate(decorator)
    if not engine.symbols.deferred_annotations:
        for annotation in engine.annotations_of(node):
            engine.evaluate(annotation)
    ref = function_ref(engine, node, decorated=bool(node.decorator_list))
    value = TOP if node.decorator_list else kind(FUNCTION, ref=ref)
    assign_name(engine, node.name, value)


def _class(engine: Engine, node: ast.ClassDef) -> None:
    for part in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
        engine.evaluate(part)
    scope = engine.symbols.scopes[node]
    outer, key = engine.frame, engine.fresh()
    engine.here.frames[key] = {"__module__": constant("__main__"), "__qualname__": constant(node.name)}
    engine.frame = Frame(key, scope, ((key, scope), *outer.chain))
    run_block(engine, node.body)
    engine.frame = outer
    if engine.state is None:
        return
    members = engine.state.frames.pop(key, {})
    for member in members.values():
        engine.state.forget(member)  # every object of the class shares it
    plain_bases = all(isinstance(base, ast.Name) and base.id == "object" for base in node.bases)
    known = plain_bases and not node.decorator_list and not node.keywords and "__getattr__" not in members
    known = known and "__getattribute__" not in members and "__slots__" not in members
    ref = ClassRef(node, members, known, frozenset())
    assign_name(engine, node.name, TOP if node.decorator_list else kind(CLASS, ref=ref))


# -- branches


_STATEMENTS: Final[dict[type, Callable[[Any, Any], None]]] = {
    ast.Expr: _expression,
    ast.Assign: _assignment,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.If: run_if,
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.Try: run_try,
    ast.With: run_with,
    ast.AsyncWith: run_with,
    ast.Match: run_match,
}
if sys.version_info >= (3, 11):
    _STATEMENTS[ast.TryStar] = run_try
