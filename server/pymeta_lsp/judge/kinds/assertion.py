"""Tests that are code: asserts about the program's functions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pymeta_lsp.judge.assertions import Rewritten, rewrite
from pymeta_lsp.judge.inside.execute import TEST_FILE
from pymeta_lsp.judge.outcomes import Failure
from pymeta_lsp.judge.programs import Program
from pymeta_lsp.judge.sandbox import Ended, Request, SandboxError
from pymeta_lsp.judge.values import UnreadableValueError

from .base import Reports, Run, Verdict, failure_of, in_one_process, in_order, short, wrong


def judge_assert(program: Program, run: Run) -> Verdict:
    """A process for each test. Profile ``coderunner``: one process for all tests."""
    if run.profile == "coderunner":
        return _together(program, run)
    return in_order((partial(_test, program, test, run) for test in program.tests), go_on_after_wrong=True)


def _test(program: Program, test: Mapping[str, str], run: Run) -> tuple[Failure | None, Ended]:
    rewritten = _rewrite(test["code"])
    step = {"kind": "exec", "code": rewritten.code}
    ended = run.end_of(Request(program.code, program.prelude, steps=(step,)))
    return _check(ended, test["code"], rewritten, run), ended


def _rewrite(code: str) -> Rewritten:
    try:
        return rewrite(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise SandboxError(f"the test's own code does not parse: {error}", box_is_broken=False) from None


def _together(program: Program, run: Run) -> Verdict:
    rewritten = [_rewrite(test["code"]) for test in program.tests]
    steps = tuple({"kind": "exec", "code": each.code} for each in rewritten)
    ended = run.end_of(Request(program.code, program.prelude, steps=steps), steps=len(steps))
    return in_one_process(ended, len(steps), run, lambda number, reports: _complete(reports, rewritten[number]))


def _check(ended: Ended, code: str, rewritten: Rewritten, run: Run) -> Failure | None:
    failed, _ = _first_failed(ended.reports, rewritten)
    process = failure_of(ended, run)
    if failed is not None and (process is None or process.outcome.value != "syntax-error"):
        return wrong(failed)  # in the interpreter's order: what came after a failed assert would not have run
    if process is not None:
        own = next((report for report in ended.reports if report[0] == "raised"), None)
        if own is not None and own[1] == "AssertionError" and own[3:] == [TEST_FILE]:
            return wrong(f"failed: {short(code)}")
        return process
    return _complete(ended.reports, rewritten)


def _complete(reports: Reports, rewritten: Rewritten) -> Failure | None:
    failed, seen = _first_failed(reports, rewritten)
    if failed is not None:
        return wrong(failed)
    if not any(report[0] == "passed" for report in reports) or not set(rewritten.certain) <= seen:
        return wrong("the program ended before the test was over")
    return None


def _first_failed(reports: Reports, rewritten: Rewritten) -> tuple[str | None, set[int]]:
    """The first assert that does not hold, in words, and the numbers of those that were reached."""
    seen: set[int] = set()
    waiting = list(reports)
    while waiting:
        event = waiting.pop(0)
        if event[0] != "site":
            continue
        try:
            site = rewritten.sites[int(event[1])]
            sent = [waiting.pop(0)[1] for operand in site.operands if operand is None]
            said = event[2] if isinstance(event[2], bool) else None
            if not site.holds(sent, said):
                return f"failed: {short(site.source)}", seen
        except (UnreadableValueError, IndexError, ValueError, TypeError):
            return "the program sent a value that is none", seen
        seen.add(int(event[1]))
    return None, seen
