"""Statements that part the way: ``if``, ``try``, ``with``, ``match``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from .binding import assign, assign_name
from .conditions import assume, truth
from .state import AFTER_EXIT, BRANCH, HANDLER, State, merge
from .values import (
    INSTANCE,
    MISSING_NAME,
    OTHER,
    TOP,
    UNBOUND,
    kind,
)

if TYPE_CHECKING:
    from .engine import Engine


_ENVIRONMENT: Final = frozenset(
    ["version_info", "hexversion", "platform", "implementation", "TYPE_CHECKING", "PY2", "PY3"]
)
_ABSENT_ELSEWHERE: Final = frozenset(["NameError", "ImportError", "ModuleNotFoundError", "AttributeError"])


def run_if(engine: Engine, node: ast.If) -> None:
    """``if test``: both ways where the test is not known."""
    if any(
        (isinstance(part, ast.Attribute) and part.attr in _ENVIRONMENT)
        or (isinstance(part, ast.Name) and part.id in _ENVIRONMENT)
        for part in ast.walk(node.test)
    ):
        # Asks where it runs: what is missing here may be there where the branch is taken.
        engine.catching.append(_ABSENT_ELSEWHERE)
        _run_branches(engine, node)
        engine.catching.pop()
        return
    _run_branches(engine, node)


def _run_branches(engine: Engine, node: ast.If) -> None:
    condition = engine.evaluate(node.test)
    if engine.state is None:
        return
    known = truth(engine, condition)
    if known is not None:
        assume(engine, node.test, known)
        engine.run_block(node.body if known else node.orelse)
        return
    engine.spend_on_fork()
    entry = engine.state.doubt
    other = engine.state.copy()
    engine.state.doubt |= BRANCH
    assume(engine, node.test, True)
    engine.run_block(node.body)
    after_body = engine.state
    engine.state = other
    other.doubt |= BRANCH
    assume(engine, node.test, False)
    engine.run_block(node.orelse)
    after_else = engine.state
    engine.state = merge(after_body, after_else)
    if engine.state is not None:
        ended = after_body is None or after_else is None
        engine.state.doubt = entry | (AFTER_EXIT if ended else 0)


def run_try(engine: Engine, node: ast.Try) -> None:
    """``try``: its handlers begin wherever its body may have failed."""
    engine.spend_on_fork()
    before = engine.here.copy()
    entry = before.doubt
    exits = engine.frame.exits
    caught: set[str] = set()
    for handler in node.handlers:
        caught.update(_caught_names(handler.type))
    if any(
        isinstance(inner, (ast.Return, ast.Break, ast.Continue)) for part in node.finalbody for inner in ast.walk(part)
    ):
        caught.add("*")  # leaving by the ``finally`` drops whatever was raised
    engine.catching.append(frozenset(caught))
    engine.run_block(node.body)
    engine.catching.pop()
    if engine.state is not None:
        engine.run_block(node.orelse)
    ends = [engine.state]
    failed = _after_failure(engine, before, node.body)
    for handler in node.handlers:
        engine.state = failed.copy()
        engine.state.doubt = entry | HANDLER
        if handler.type is not None:
            engine.evaluate(handler.type)
        if handler.name:
            assign_name(engine, handler.name, TOP)
        engine.run_block(handler.body)
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
            engine.run_block(node.finalbody)
            engine.state = None
        else:
            engine.state.doubt = entry
            engine.run_block(node.finalbody)
    if engine.state is not None:
        engine.state.doubt = entry | (AFTER_EXIT if left else 0)


def _after_failure(engine: Engine, before: State, body: list[ast.stmt]) -> State:
    """The state when something in ``body`` failed: any name bound in it may have any value, or still none."""
    failed = before.copy()
    failed.forget_all()
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


def run_with(engine: Engine, node: ast.With | ast.AsyncWith) -> None:
    """``with``; a manager that is not known may swallow what fails inside."""
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
    engine.run_block(node.body)
    if suppressing:
        engine.catching.pop()


def run_match(engine: Engine, node: ast.Match) -> None:
    """``match``: each case from the state before it."""
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
        engine.run_block(case.body)
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
