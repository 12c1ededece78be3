"""LiveCodeBench tests: printed output, or a function called with JSON arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from pymeta_lsp.judge import compare
from pymeta_lsp.judge.inside.livecodebench import PRELUDE
from pymeta_lsp.judge.outcomes import Failure, Outcome, TestResult
from pymeta_lsp.judge.programs import Program
from pymeta_lsp.judge.sandbox import Ended, Request, SandboxError
from pymeta_lsp.judge.values import UnreadableValueError, decode, same, same_json

from .base import Reports, Run, Verdict, ended_early, failure_of, in_order, numbered, out_of_time, short, wrong
from .standard_input import check_output, check_text


def judge_lcb(program: Program, run: Run) -> Verdict:
    """Profile ``lcb``: all tests in one process, by the published rules. Otherwise a process each, by the right ones.

    Either way the first failure decides, and ends it unless all tests are asked for; the published rules know no such thing.
    """
    if run.profile == "lcb":
        return _as_published(program, run)
    steps = (partial(_test, program, test, run) for test in program.tests)
    return in_order(steps, go_on_after_wrong=False, all_tests=run.all_tests)


def _functional(program: Program, test: Mapping[str, str]) -> bool:
    kind = test.get("testtype")
    return kind == "functional" if kind else program.function is not None


def _arguments(test: Mapping[str, str]) -> list[str]:
    return test["input"].split("\n")


def _wanted(test: Mapping[str, str]) -> Any:
    try:
        return json.loads(test["output"])
    except ValueError as error:
        raise SandboxError(f"the test's expected output is not JSON: {error}", box_is_broken=False) from None


def _test(program: Program, test: Mapping[str, str], run: Run) -> tuple[Failure | None, Ended]:
    prelude = PRELUDE + program.prelude
    if not _functional(program, test):
        ended = run.end_of(Request(program.code, prelude, test["input"]))
        return failure_of(ended, run) or check_output(ended.stdout, test, compare.contest), ended
    step = {"kind": "method", "name": program.function, "arguments": _arguments(test)}
    ended = run.end_of(Request(program.code, prelude, steps=(step,)))
    failure = failure_of(ended, run)
    return failure or _check_value(program, test, ended.reports, exactly=False), ended


def _check_value(program: Program, test: Mapping[str, str], reports: Reports, *, exactly: bool) -> Failure | None:
    wanted = _wanted(test)
    sent = [report for report in reports if report[0] == "value" and len(report) > 1]
    if not sent:
        return ended_early()
    try:
        value = decode(sent[-1][1])
    except UnreadableValueError:
        return ended_early()
    if same(value, wanted) if exactly else same_json(value, wanted):
        return None
    expression = f"{program.function}({', '.join(_arguments(test))})"
    return wrong("wrong-value", expression=short(expression), value=short(value), expected=short(wanted))


def _processor_seconds(ended: Ended) -> dict[int, float]:
    """Of each test that was begun. The published checker takes real time; on a busy machine that fails right programs."""
    begun = [(report[1], float(report[2])) for report in ended.reports if report[0] == "begin"]
    ends = [clock for _, clock in begun[1:]] + [ended.cpu_seconds]
    return {number: end - start for (number, start), end in zip(begun, ends, strict=False)}


def _as_published(program: Program, run: Run) -> Verdict:
    by_call = any(_functional(program, test) for test in program.tests)
    steps: tuple[dict[str, Any], ...] = tuple(
        {"name": program.function, "arguments": _arguments(test)} if by_call else {"input": test["input"]}
        for test in program.tests
    )
    ended = run.end_of(Request(program.code, mode="lcb", steps=steps), run.limits.for_steps(len(steps)))
    failure = failure_of(ended, run)
    if failure is not None and failure.outcome is Outcome.SYNTAX_ERROR:
        return Verdict((TestResult(failure.outcome, ended.seconds),), failure)
    answers = [report for report in ended.reports if report[0] in ("output", "value") and len(report) > 1]
    tests: list[TestResult] = []
    seconds = ended.seconds / max(1, len(program.tests))
    used = _processor_seconds(ended)
    for number, (test, answer) in enumerate(zip(program.tests, answers, strict=False)):
        found = (
            _check_value(program, test, (answer,), exactly=True)
            if by_call
            else check_text(str(answer[1]), test, compare.livecodebench)
        )
        if used.get(number, 0.0) > run.limits.time_seconds:
            found = out_of_time(run)
        tests.append(TestResult(found.outcome if found else Outcome.ACCEPTED, seconds))
        if found is not None:
            return Verdict(tuple(tests), numbered(found, number))
    if len(answers) < len(program.tests):
        failure = failure or ended_early()
        return Verdict((*tests, TestResult(failure.outcome, seconds)), numbered(failure, len(tests)))
    return Verdict(tuple(tests), None)
