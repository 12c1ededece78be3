"""How a run can end, and the record of it: a closed set for machines, sentences elsewhere.

``judge-error`` is ours: the box could not be built, the machine failed, the request made no sense. It says nothing of
the program, is never counted as its success or failure, and has no label.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from pymeta_taxonomy import Label, Message


class Outcome(str, Enum):
    """What became of a program, or of one of its tests."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong-answer"
    RUNTIME_ERROR = "runtime-error"
    SYNTAX_ERROR = "syntax-error"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    JUDGE_ERROR = "judge-error"


@dataclass(frozen=True)
class TestResult:
    """One test of one program."""

    outcome: Outcome
    seconds: float
    """Wall clock, from the start of the test's process to its end, as its warden saw it."""
    printed: str | None = None
    """The beginning of its standard output, to be shown; ``None`` where tests share a process. Not part of the record."""

    __test__ = False  # not a test class, whatever pytest makes of the name


@dataclass(frozen=True)
class Failure:
    """What went wrong, as far as it is known."""

    outcome: Outcome
    label: Label | None
    detail: str | None = None
    """The fine type behind other-error, such as ``zero-division-error`` or ``time-limit``."""
    exception: str | None = None
    """The own name of the exception's class."""
    message: str | None = None
    line: int | None = None
    """1-based, in the student's own program: the deepest of its lines on the way to the exception."""
    words: Message | None = None
    """The same for the student, in any language (``words/<language>/run.json``)."""


@dataclass(frozen=True)
class Result:
    """One program's record, a line of the judge's output file."""

    id: str
    outcome: Outcome
    label: Label | None
    """None only for judge-error."""
    detail: str | None
    exception: str | None
    message: str | None
    line: int | None
    tests: tuple[TestResult, ...]
    isolation: str
    """The mechanism that held the program: ``namespaces``, ``bubblewrap``, ``rlimits``, ``job-object`` or ``none``."""
    python: str
    """The version that ran it, such as ``3.11.7``."""
    profile: str = "strict"
    words: Message | None = None
    """What the student reads about it; not part of the record."""

    def as_json(self) -> dict[str, Any]:
        """The record as contracts have it; ``label`` is the integer id, ``name`` the slug."""
        return {
            "id": self.id,
            "outcome": self.outcome.value,
            "label": None if self.label is None else int(self.label),
            "name": None if self.label is None else self.label.slug,
            "detail": self.detail,
            "exception": self.exception,
            "message": self.message,
            "line": self.line,
            "tests": [{"outcome": test.outcome.value, "seconds": round(test.seconds, 4)} for test in self.tests],
            "isolation": self.isolation,
            "python": self.python,
            "profile": self.profile,
        }
