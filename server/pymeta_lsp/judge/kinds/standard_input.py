"""Tests of a whole program: what it prints for an input."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pymeta_lsp.judge import compare
from pymeta_lsp.judge.outcomes import Failure
from pymeta_lsp.judge.programs import Program
from pymeta_lsp.judge.sandbox import Ended, Request

from .base import Run, Verdict, failure_of, in_order, short, wrong

GRADERS: Mapping[str, compare.Grader] = {
    "strict": compare.exact,
    "coderunner": compare.equality,
    "lcb": compare.livecodebench,
}


def judge_stdin(program: Program, run: Run) -> Verdict:
    """A process for each test."""
    return in_order((partial(_test, program, test, run) for test in program.tests), go_on_after_wrong=True)


def _test(program: Program, test: Mapping[str, str], run: Run) -> tuple[Failure | None, Ended]:
    ended = run.end_of(Request(program.code, program.prelude, test["input"]))
    return failure_of(ended, run) or check_output(ended.stdout, test, GRADERS[run.profile]), ended


def check_output(output: bytes, test: Mapping[str, str], grader: compare.Grader) -> Failure | None:
    """None when ``output`` answers the test."""
    return check_text(output.decode("utf-8", "surrogateescape"), test, grader)


def check_text(text: str, test: Mapping[str, str], grader: compare.Grader) -> Failure | None:
    """As ``check_output``, of text."""
    if grader(text, test["output"]):
        return None
    given, expected = repr(short(test["input"])), repr(short(test["output"]))
    return wrong("wrong-output", input=given, output=repr(short(text)), expected=expected)
