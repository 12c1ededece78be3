"""Tests of an expression: the value it has with the program's names in scope."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from typing import Any

from pymeta_lsp.judge.outcomes import Failure
from pymeta_lsp.judge.programs import Program
from pymeta_lsp.judge.sandbox import Ended, Request, SandboxError
from pymeta_lsp.judge.values import UnreadableValueError, decode, expected_value, literal, same_value

from .base import Reports, Run, Verdict, ended_early, failure_of, in_one_process, in_order, short, wrong


def judge_call(program: Program, run: Run) -> Verdict:
    """A process for each test; the expected expression is read here, or run in a process without the program.

    Profile ``coderunner``: one process for all tests.
    """
    if run.profile == "coderunner":
        return _together(program, run)
    return in_order((partial(_test, program, test, run) for test in program.tests), go_on_after_wrong=True)


def _test(program: Program, test: Mapping[str, str], run: Run) -> tuple[Failure | None, Ended]:
    expected = _expected(program, test["expected"], run)
    step = {"kind": "call", "expr": _checked(test["expr"])}
    ended = run.end_of(Request(program.code, program.prelude, steps=(step,)))
    return failure_of(ended, run) or _check(ended.reports, test, expected), ended


def _together(program: Program, run: Run) -> Verdict:
    expected = [_expected(program, test["expected"], run) for test in program.tests]
    steps = tuple({"kind": "call", "expr": _checked(test["expr"])} for test in program.tests)
    ended = run.end_of(Request(program.code, program.prelude, steps=steps))
    return in_one_process(
        ended, len(steps), run, lambda number, reports: _check(reports, program.tests[number], expected[number])
    )


def _check(reports: Reports, test: Mapping[str, str], expected: Any) -> Failure | None:
    sent = [report for report in reports if report[0] == "value" and len(report) > 1]
    if not sent:
        return ended_early()
    try:
        value = decode(sent[-1][1])
    except UnreadableValueError:
        return ended_early()
    if same_value(value, expected):
        return None
    arguments = {"value": short(value), "expected": short(test["expected"])}
    return wrong("wrong-value", expression=short(test["expr"]), **arguments)


def _checked(source: str) -> str:
    """The expression, which must be one: a test that is none says nothing of the program."""
    try:
        ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError) as error:
        raise SandboxError(f"{short(source)!r} is no Python expression: {error}", box_is_broken=False) from None
    return source.strip()


def _expected(program: Program, source: str, run: Run) -> Any:
    known, value = literal(source)
    if known:
        return value
    key = (f"expected in {program.prelude}", source)
    if key not in run.expected_cache:
        step = {"kind": "call", "expr": _checked(source)}
        ended = run.end_of(Request("", program.prelude, steps=(step,)))
        run.expected_cache[key] = expected_value(ended.reports, source)
    return run.expected_cache[key]
