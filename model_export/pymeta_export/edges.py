"""Further tests, on the edges: empty, one element, zero, negative.

Sets with three friendly asserts a problem let a program pass that reads ``items[0]`` of an empty list; a teacher's
tests do not. The arguments of a problem's own tests are varied, and the correct solution says what comes out. Where it
raises, the input is outside the problem, and the test is not made.
"""

from __future__ import annotations

import ast
import random
from typing import Any

from .problems import Problem
from .runner import Limits, Runner, Test

_TESTS_MADE = 4
_NOT_THE_PROGRAMS = ("candidate", "check", "set", "list", "sorted", "round", "abs")


def edge_tests(problem: Problem, solution: str, runner: Runner, rng: random.Random) -> tuple[Test, ...]:
    """Up to four further tests for a problem whose own tests call a function on literals."""
    calls = list(dict.fromkeys(call for test in problem.tests[:6] for call in _literal_calls(test)))
    varied: list[str] = []
    for call in calls[:4]:
        varied.extend(variant for variant in _variants(call) if variant not in calls and variant not in varied)
    rng.shuffle(varied)
    varied = varied[: 3 * _TESTS_MADE]
    values = runner.evaluate(solution, varied, Limits(cpu_seconds=0.5)) if varied else ()
    tests = []
    for expression, value in zip(varied, values, strict=False):
        if value is not None and _is_literal(value):
            tests.append(Test("call", code=expression, expected=value))
    return tuple(tests[:_TESTS_MADE])


def _literal_calls(test: Test) -> list[str]:
    """``f(1, [2])`` of ``assert f(1, [2]) == 3``: calls of a plain name or of ``Solution().f`` on literals only."""
    try:
        tree = ast.parse(test.code)
    except SyntaxError:
        return []
    found = []
    for node in ast.walk(tree):
        sides = [node.left] if isinstance(node, ast.Compare) else [node.value] if isinstance(node, ast.Expr) else []
        for side in sides:
            if isinstance(side, ast.Call) and not side.keywords and side.args and all(map(_literal, side.args)):
                name = ast.unparse(side.func)
                if (name.isidentifier() and name not in _NOT_THE_PROGRAMS) or name.startswith("Solution()."):
                    found.append(ast.unparse(side))
    return found


def _literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return False
    return True


def _is_literal(text: str) -> bool:
    try:
        return bool(ast.literal_eval(text) == ast.literal_eval(text))
    except (ValueError, TypeError, SyntaxError):
        return False


def _variants(call: str) -> list[str]:
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    values = [ast.literal_eval(argument) for argument in tree.args]
    name = ast.unparse(tree.func)
    return [
        f"{name}({', '.join(map(repr, [*values[:index], edge, *values[index + 1 :]]))})"
        for index, value in enumerate(values)
        for edge in _edges(value)
    ]


def _edges(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [0, 1, -value, value + 1]
    if isinstance(value, float):
        return [0.0, -value]
    if isinstance(value, (str, list, tuple)) and value:
        return [value[:0], value[:1], value[::-1], value * 2]
    if isinstance(value, dict) and value:
        return [{}, dict(list(value.items())[:1])]
    return []
