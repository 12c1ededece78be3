"""What each statement does to the state."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pymeta_taxonomy import Label

from . import containers
from .arithmetic import binary
from .conditions import assume, truth
from .expressions import function_ref
from .frames import EndedError, Frame
from .loops import run_for, run_while
from .state import AFTER_EXIT, BRANCH, HANDLER, State, merge
from .values import (
    CLASS,
    DICT,
    FUNCTION,
    INSTANCE,
    LIST,
    MISSING_NAME,
    MODULE,
    NONE_VALUE,
    OTHER,
    TOP,
    UNBOUND,
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


def assign_name(engine: Engine, name: str, value: Value) -> None:
    """``name = value``, in whichever scope owns the name."""
    scope = engine.frame.scope
    while scope.kind == "comprehension" and name not in scope.bindings and scope.parent is not None:
        scope = scope.parent
    owner = scope.owner(name)
    key = 0 if owner.parent is None else -1
    for frame_key, frame_scope in engine.frame.chain:
        if frame_scope is owner:
            key = frame_key
            break
    names = engine.here.frames.get(key)
    if names is not None:
        if owner.parent is None and engine.frame.scope is not owner and engine.module_done:
            value = TOP
        if owner.parent is not None and name in owner.captured:
            engine.here.forget(value)
        names[name] = value


def assign(engine: Engine, target: ast.expr, value: Value) -> None:
    """``target = value``."""
    if isinstance(target, ast.Name):
        assign_name(engine, target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(engine, target, value)
    elif isinstance(target, ast.Subscript):
        containers.store_item(engine, target, value)
    elif isinstance(target, ast.Attribute):
        _store_attribute(engine, target, value)
    elif isinstance(target, ast.Starred):
        assign(engine, target.value, kind(LIST))


def _store_attribute(engine: Engine, target: ast.Attribute, value: Value) -> None:
    owner = engine.evaluate(target.value)
    engine.here.forget(value)
    mask = owner.mask
    if mask and not mask & ~containers.PLAIN:
        containers.report_attribute(engine, target, owner, 0)


def _unpack(engine: Engine, target: ast.Tuple | ast.List, value: Value) -> None:
    elem = containers.iterate(engine, target, value)
    starred = any(isinstance(part, ast.Starred) for part in target.elts)
    shortest, longest = containers.length_bounds(engine, value)
    wanted = len(target.elts)
    items = containers.tuple_items(value)
    if items is None and value.object is not None and value.mask == LIST:
        items = engine.here.contents(value).items
    if starred:
        if longest is not None and longest < wanted - 1:
            _report_unpacking(engine, target, wanted - 1, longest)
    elif (longest is not None and longest < wanted) or shortest > wanted:
        _report_unpacking(engine, target, wanted, shortest if shortest > wanted else longest or 0)
    elif items is not None and len(items) == wanted:
        for part, item in zip(target.elts, items, strict=True):
            assign(engine, part, item)
        return
    for part in target.elts:
        assign(engine, part, elem)


def _report_unpacking(engine: Engine, target: ast.expr, wanted: int, given: int) -> None:
    key = "too-few-to-unpack" if given < wanted else "too-many-to-unpack"
    engine.report(key, Label.VALUE_ERROR, target, {"wanted": wanted, "given": given}, exception="ValueError")


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
        old = containers.attribute(engine, target)
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


def _if(engine: Engine, node: ast.If) -> None:
    condition = engine.evaluate(node.test)
    if engine.state is None:
        return
    known = truth(engine, condition)
    if known is not None:
        assume(engine, node.test, known)
        run_block(engine, node.body if known else node.orelse)
        return
    entry = engine.state.doubt
    other = engine.state.copy()
    engine.state.doubt |= BRANCH
    assume(engine, node.test, True)
    run_block(engine, node.body)
    after_body = engine.state
    engine.state = other
    other.doubt |= BRANCH
    assume(engine, node.test, False)
    run_block(engine, node.orelse)
    after_else = engine.state
    engine.state = merge(after_body, after_else)
    if engine.state is not None:
        ended = after_body is None or after_else is None
        engine.state.doubt = entry | (AFTER_EXIT if ended else 0)


def _try(engine: Engine, node: ast.Try) -> None:
    before = engine.here.copy()
    entry = before.doubt
    exits = engine.frame.exits
    caught: set[str] = set()
    for handler in node.handlers:
        caught.update(_caught_names(handler.type))
    engine.catching.append(frozenset(caught))
    run_block(engine, node.body)
    engine.catching.pop()
    if engine.state is not None:
        run_block(engine, node.orelse)
    ends = [engine.state]
    failed = _after_failure(engine, before, node.body)
    for handler in node.handlers:
        engine.state = failed.copy()
        engine.state.doubt = entry | HANDLER
        if handler.type is not None:
            engine.evaluate(handler.type)
        if handler.name:
            assign_name(engine, handler.name, TOP)
        run_block(engine, handler.body)
        if handler.name and engine.state is not None:
            assign_name(engine, handler.name, MISSING_NAME)
        ends.append(engine.state)
    engine.state = None
    for end in ends:
        engine.state = merge(engine.state, end)
    left = engine.frame.exits != exits or any(end is None for end in ends)
    if node.finalbody:
        if engine.state is None:
            engine.state = failed.copy()
            run_block(engine, node.finalbody)
            engine.state = None
        else:
            engine.state.doubt = entry
            run_block(engine, node.finalbody)
    if engine.state is not None:
        engine.state.doubt = entry | (AFTER_EXIT if left else 0)


def _after_failure(engine: Engine, before: State, body: list[ast.stmt]) -> State:
    """The state when something in ``body`` failed: any name bound in it may have any value, or still none."""
    failed = before.copy()
    failed.heap.clear()
    for name, value in _bound_in(body):
        owner = engine.frame.scope.owner(name)
        for key, scope in engine.frame.chain:
            if scope is owner and key in failed.frames:
                old = failed.frames[key].get(name)
                unbound = UNBOUND if old is None else old.mask & UNBOUND
                failed.frames[key][name] = kind(value | unbound)
    return failed


def _bound_in(body: list[ast.stmt]) -> list[tuple[str, int]]:
    found: dict[str, int] = {}
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found[node.id] = TOP.mask
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found[node.name] = TOP.mask
            elif isinstance(node, ast.alias):
                found[node.asname or node.name.partition(".")[0]] = TOP.mask
    return list(found.items())


_FAMILIES: Final = {
    "LookupError": {"IndexError", "KeyError"},
    "ArithmeticError": {"ZeroDivisionError", "OverflowError"},
    "NameError": {"UnboundLocalError"},
    "ImportError": {"ModuleNotFoundError"},
    "RuntimeError": {"RecursionError", "NotImplementedError"},
    "Exception": {"*"},
    "BaseException": {"*"},
}


def _caught_names(node: ast.expr | None) -> set[str]:
    if node is None:
        return {"*"}
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    names: set[str] = set()
    for part in parts:
        if not isinstance(part, ast.Name):
            return {"*"}
        names.add(part.id)
        names |= _FAMILIES.get(part.id, set())
    return names


def _with(engine: Engine, node: ast.With | ast.AsyncWith) -> None:
    suppressing = False
    for item in node.items:
        value = engine.evaluate(item.context_expr)
        call = item.context_expr
        opens = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "open"
        suppressing |= not opens and bool(value.mask & (OTHER | INSTANCE))  # it may swallow what fails inside
        if item.optional_vars is not None and engine.state is not None:
            assign(engine, item.optional_vars, TOP)
    if suppressing:
        engine.catching.append(frozenset({"*"}))
    run_block(engine, node.body)
    if suppressing:
        engine.catching.pop()


def _match(engine: Engine, node: ast.Match) -> None:
    engine.evaluate(node.subject)
    if engine.state is None:
        return
    entry = engine.state.doubt
    rest = engine.state
    end: State | None = None
    ended = False
    for case in node.cases:
        engine.state = rest.copy()
        wild = case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        engine.state.doubt |= BRANCH
        _bind_pattern(engine, case.pattern)
        if case.guard is not None:
            engine.evaluate(case.guard)
        run_block(engine, case.body)
        ended |= engine.state is None
        end = merge(end, engine.state)
        if wild:
            break
    else:
        end = merge(end, rest)
    engine.state = end
    if end is not None:
        end.doubt = entry | (AFTER_EXIT if ended else 0)


def _bind_pattern(engine: Engine, pattern: ast.pattern) -> None:
    for node in ast.walk(pattern):
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            assign_name(engine, node.name, TOP)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            assign_name(engine, node.rest, TOP)
        elif isinstance(node, ast.MatchValue):
            engine.evaluate(node.value)
        elif isinstance(node, ast.MatchClass):
            engine.evaluate(node.cls)


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
    ast.If: _if,
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.Try: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
}
if sys.version_info >= (3, 11):
    _STATEMENTS[ast.TryStar] = _try
