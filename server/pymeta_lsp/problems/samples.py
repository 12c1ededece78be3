"""A program on its problem's tests, one by one, so that each can be shown: what it got, and what was expected."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pymeta_lsp.diagnosis.document import Document
from pymeta_lsp.diagnosis.evidence import Finding
from pymeta_lsp.judge.engine import Place, Worker
from pymeta_lsp.judge.judging import Rules
from pymeta_lsp.judge.outcomes import Outcome, Result
from pymeta_taxonomy import Language, Message, part

from .evidence import evidence
from .pack import Problem

if TYPE_CHECKING:
    from typing_extensions import Self

_ON_SAMPLE: Final = {
    "run.wrong-output": "pack.wrong-output",
    "run.wrong-value": "pack.wrong-value",
    "run.failed-assert": "pack.failed-assert",
}
"""Words that name the sample, where the judge's own, for one test at a time, do not."""


@dataclass(frozen=True)
class SampleResult:
    """One test of one program."""

    number: int
    """From 1, as people count."""
    result: Result
    input: str
    """What the test gives: text for standard input, or the expression that it evaluates."""
    expected: str
    """What it wants; empty for an assert."""
    got: str | None
    """What the program printed or gave; ``None`` where it never came to that."""

    @property
    def passed(self) -> bool:
        return self.result.outcome is Outcome.ACCEPTED

    def words(self, language: Language) -> str:
        """What happened, for the student."""
        words, message = self.result.words, self.result.message or self.result.outcome.value
        if self.result.outcome is Outcome.SYNTAX_ERROR and self.result.line is not None:
            message = re.sub(r" \(student\.py, line \d+\)$", "", message)  # the name that it has in its box
            words = Message("pack.unreadable", {"line": self.result.line, "message": message})
        if words is None:
            return message
        return part(_renumbered(words, self.number), "what", language)

    def as_json(self, language: Language = "en", longest: int | None = None) -> dict[str, Any]:
        """As other programs read it; texts of more than ``longest`` characters are cut."""
        result = self.result
        return {
            "number": self.number,
            "outcome": result.outcome.value,
            "input": cut(self.input, longest),
            "expected": cut(self.expected, longest),
            "got": None if self.got is None else cut(self.got, longest),
            "line": result.line,
            "exception": result.exception,
            "message": self.words(language),
            "seconds": round(sum(test.seconds for test in result.tests), 4),
        }


def cut(text: str, longest: int | None) -> str:
    """The first ``longest`` characters; what is cut ends in an ellipsis.

    >>> cut("a sample of megabytes", 8)
    'a sample…'
    """
    return text if longest is None or len(text) <= longest else text[:longest] + "…"


def run_samples(
    problem: Problem,
    code: str,
    worker: Worker,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[SampleResult]:
    """The results, each as soon as it is there. What Python cannot read, and what does not end, is not run again.

    ``worker`` brings sandbox and limits (:func:`worker_for`). Ends early once ``cancelled``.
    """
    for number in range(len(problem.tests)):
        if cancelled():
            return
        result = worker.judge(problem.program(code, number))
        yield SampleResult(number + 1, result, *given(problem, number), _got(problem, number, result))
        if result.outcome in (Outcome.SYNTAX_ERROR, Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT):
            return


def worker_for(problem: Problem, place: Place) -> Worker:
    """One that judges by the problem's own limits."""
    return Worker(Rules(time_seconds=problem.time_limit), place)


class Workers:
    """One worker for all problems of the same limits, as a box takes longer to build than most programs to run.

    Of one thread only, as its workers are. ``with Workers(place) as workers: run_samples(problem, code, workers.of(problem))``
    """

    def __init__(self, place: Place) -> None:
        self._place: Final = place
        self._kept: dict[float | None, Worker] = {}

    def of(self, problem: Problem) -> Worker:
        """The one that judges by the problem's limits."""
        if problem.time_limit not in self._kept:
            self._kept[problem.time_limit] = worker_for(problem, self._place)
        return self._kept[problem.time_limit]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._kept.values():
            worker.close()


def deciding(samples: Sequence[SampleResult]) -> SampleResult | None:
    """The failure that is the program's verdict: the first exception or limit, else the first wrong answer.

    ``None`` where all passed. A test that could not be judged says nothing of the program.
    """
    failed = [each for each in samples if not each.passed and each.result.outcome is not Outcome.JUDGE_ERROR]
    hard = [each for each in failed if each.result.outcome is not Outcome.WRONG_ANSWER]
    return next(iter(hard or failed), None)


def findings(
    document: Document, tree: ast.Module | None, samples: Sequence[SampleResult], total: int
) -> tuple[Finding, ...] | None:
    """What the run says of the program, as evidence: empty where it passed all ``total`` tests, ``None`` for nothing."""
    failed = deciding(samples)
    if failed is None:
        return () if len(samples) == total and all(each.passed for each in samples) else None
    result = failed.result
    if result.words is None:
        return None
    words = _renumbered(result.words, failed.number)
    if words.key in _ON_SAMPLE:
        words = Message(_ON_SAMPLE[words.key], {**words.arguments, "number": failed.number})
    return evidence(document, tree, replace(result, words=words))


def _renumbered(words: Message, number: int) -> Message:
    """Each test ran alone, as test 1: its own number is put in."""
    return Message(words.key, {**words.arguments, "test": number}) if "test" in words.arguments else words


def given(problem: Problem, number: int) -> tuple[str, str]:
    """What the problem's test ``number`` (from 0) gives, and what it wants; an assert wants nothing more."""
    test = problem.tests[number]
    if problem.kind == "call":
        return test["expr"], test["expected"]
    if problem.kind == "assert":
        return test["code"], ""
    return test["input"], test["output"]


def _got(problem: Problem, number: int, result: Result) -> str | None:
    """What the program printed, or the value that it gave."""
    test = problem.tests[number]
    if problem.kind == "stdin" or test.get("testtype") == "stdin":
        return result.tests[0].printed if result.tests else None
    value = result.words.arguments.get("value") if result.words else None
    if value is not None:
        return str(value)
    return given(problem, number)[1] or None if result.outcome is Outcome.ACCEPTED else None
