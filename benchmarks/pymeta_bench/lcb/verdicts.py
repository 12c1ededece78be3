"""What became of one generation, in upstream's numbers and in ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pymeta_lsp.judge import Outcome

PASSED: Final = True
CODES: Final = {
    Outcome.ACCEPTED: PASSED,
    Outcome.WRONG_ANSWER: -2,
    Outcome.TIME_LIMIT: -3,
    Outcome.RUNTIME_ERROR: -4,
    Outcome.SYNTAX_ERROR: -4,
    Outcome.MEMORY_LIMIT: -5,
}
"""Upstream's: -2 wrong answer, -3 time limit, -4 exception, no compilation or no function, -5 the worker died."""


@dataclass(frozen=True)
class Verdict:
    """Of one generation."""

    passed: bool
    outcome: str
    """The judge's, or ``right``, ``wrong``, ``unreadable`` for values that are compared."""
    rule: str = ""
    """By which its text was found in the reply."""
    text: str = ""
    """The program or value that was judged."""
    code: bool | int | None = None
    """In upstream's numbers, where it ran."""
    failed_test: int | None = None
    """From 0: the first that failed."""
    tests: int | None = None
    """How many there were, where all were run; ``tests_passed`` of them passed."""
    tests_passed: int | None = None
    label: int | None = None
    exception: str | None = None
    message: str | None = None
    line: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Without what is not known."""
        return {name: value for name, value in vars(self).items() if value is not None and name != "text"}


def of_result(record: Mapping[str, Any], rule: str, text: str, *, all_tests: bool = False) -> Verdict:
    """From a record of the judge, which must not be a judge-error; ``all_tests`` where it ran every test."""
    outcome = Outcome(record["outcome"])
    failed = [place for place, test in enumerate(record["tests"]) if test["outcome"] != Outcome.ACCEPTED.value]
    return Verdict(
        passed=outcome is Outcome.ACCEPTED,
        outcome=outcome.value,
        rule=rule,
        text=text,
        code=CODES[outcome],
        failed_test=failed[0] if failed else None,
        tests=len(record["tests"]) if all_tests else None,
        tests_passed=len(record["tests"]) - len(failed) if all_tests else None,
        label=record["label"],
        exception=record["exception"],
        message=record["message"],
        line=record["line"],
    )
