"""Tests that are code: asserts about the program's functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import partial

from pymeta_lsp.judge.assertions import Known, Rewritten, rewrite
from pymeta_lsp.judge.inside.execute import TEST_FILE
from pymeta_lsp.judge.outcomes import Failure
from pymeta_lsp.judge.programs import Program
from pymeta_lsp.judge.sandbox import Ended, Request, SandboxError
from pymeta_lsp.judge.values import UnreadableValueError, decode

from .base import Reports, Run, Verdict, ended_early, failure_of, in_one_process, in_order, short, wrong


def judge_assert(program: Program, run: Run) -> Verdict:
    """A process for each test. Profile ``coderunner``: one process for all tests."""
    if run.profile == "coderunner":
        return _together(program, run)
    return in_order((partial(_test, program, test, run) for test in program.tests), go_on_after_wrong=True)


def _test(program: Program, test: Mapping[str, str], run: Run) -> tuple[Failure | None, Ended]:
    rewritten = _rewrite(test["code"], program.prelude, run)
    step = {"kind": "exec", "code": rewritten.code}
    ended = run.end_of(Request(program.code, program.prelude, steps=(step,)))
    return _check(ended, test["code"], rewritten, run), ended


def _rewrite(code: str, prelude: str, run: Run) -> Rewritten:
    def evaluate(source: str) -> Known | None:
        key = ("", source)
        if key not in run.expected_cache:
            ended = run.end_of(Request("", steps=({"kind": "call", "expr": source},)))
            sent = [report[1] for report in ended.reports if report[0] == "value"]
            try:
                run.expected_cache[key] = Known(decode(sent[0])) if sent else None
            except UnreadableValueError:
                run.expected_cache[key] = None
        known: Known | None = run.expected_cache[key]
        return known

    try:
        return rewrite(code, prelude, evaluate)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise SandboxError(f"the test's own code does not parse: {error}", box_is_broken=False) from None


def _together(program: Program, run: Run) -> Verdict:
    rewritten = [_rewrite(test["code"], program.prelude, run) for test in program.tests]
    steps = tuple({"kind": "exec", "code": each.code} for each in rewritten)
    ended = run.end_of(Request(program.code, program.prelude, steps=steps))
    return in_one_process(ended, len(steps), run, lambda number, reports: _complete(reports, rewritten[number]))


def _check(ended: Ended, code: str, rewritten: Rewritten, run: Run) -> Failure | None:
    failed, _ = _first_failed(ended.reports, rewritten)
    process = failure_of(ended, run)
    if failed is not None and (process is None or process.outcome.value != "syntax-error"):
        return wrong(
            "failed-assert", test=short(failed)
        )  # in the interpreter's order: what came after a failed assert would not have run
    if process is not None:
        own = next((report for report in ended.reports if report[0] == "raised"), None)
        if own is not None and own[1] == "AssertionError" and own[3:] == [TEST_FILE]:
            return wrong("failed-assert", test=short(code))
        return process
    return _complete(ended.reports, rewritten)


def _complete(reports: Reports, rewritten: Rewritten) -> Failure | None:
    failed, seen = _first_failed(reports, rewritten)
    if failed is not None:
        return wrong("failed-assert", test=short(failed))
    if not any(report[0] == "passed" for report in reports) or not rewritten.satisfied_by(seen):
        return ended_early()
    return None


def _first_failed(reports: Reports, rewritten: Rewritten) -> tuple[str | None, set[int]]:
    """The first assert that does not hold, as it stands there, and the numbers of those that were reached."""
    seen: set[int] = set()
    waiting = deque(reports)
    while waiting:
        event = waiting.popleft()
        if event[0] != "site":
            continue
        site = rewritten.sites[event[1]] if event[1] < len(rewritten.sites) else None
        if site is None:
            continue
        try:
            sent = [waiting.popleft()[1] for operand in site.operands if operand is None]
            if not site.holds(sent, event[2]):
                return site.source, seen
        except (UnreadableValueError, IndexError):
            return site.source, seen
        seen.add(event[1])
    return None, seen
