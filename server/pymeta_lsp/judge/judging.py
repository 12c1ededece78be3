"""Judge one program in a box: ``judge(program, box, ...) -> Result``. Nothing here knows files or queues."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pymeta_taxonomy import Label, Message

from .kinds import KINDS, Run
from .limits import Limits
from .outcomes import Outcome, Result
from .programs import Profile, Program
from .sandbox import Box, SandboxError

DEFAULTS = {"lcb": Limits(time_seconds=6.0, memory_mib=4096)}
"""LiveCodeBench's own limits for its kind; the others have CodeRunner's (see :class:`Limits`)."""


@dataclass(frozen=True)
class Rules:
    """By which profile and limits to judge; None leaves a limit at its kind's default."""

    profile: Profile = "strict"
    time_seconds: float | None = None
    memory_mib: int | None = None
    all_tests: bool = False
    """Run ``lcb`` tests after the first failure too, which still decides; not in profile ``lcb``, where it ends them."""

    def limits(self, kind: str) -> Limits:
        """The limits of one test of this kind. Raises ``ValueError`` naming the option."""
        limits = DEFAULTS.get(kind, Limits())
        if self.time_seconds is not None:
            limits = replace(limits, time_seconds=self.time_seconds)
        if self.memory_mib is not None:
            limits = replace(limits, memory_mib=self.memory_mib)
        return limits


@dataclass(frozen=True)
class Place:
    """Where it runs, as results record it."""

    isolation: str
    python: str


def judge(
    program: Program, box: Box, rules: Rules, place: Place, expected_cache: dict[tuple[str, str], Any] | None = None
) -> Result:
    """Run the program's tests and draw the verdict. Raises :class:`SandboxError` when the box broke."""
    expected = {} if expected_cache is None else expected_cache
    run = Run(box, rules.limits(program.kind), rules.profile, expected, rules.all_tests)
    verdict = KINDS[program.kind](program, run)
    failure = verdict.failure
    return Result(
        id=program.id,
        outcome=failure.outcome if failure else Outcome.ACCEPTED,
        label=failure.label if failure else Label.NO_ERROR,
        detail=failure.detail if failure else None,
        exception=failure.exception if failure else None,
        message=failure.message if failure else None,
        line=failure.line if failure else None,
        tests=verdict.tests,
        isolation=place.isolation,
        python=place.python,
        profile=rules.profile,
        words=failure.words if failure else Message("run.accepted", {"count": len(verdict.tests)}),
    )


def not_judged(identity: str, error: SandboxError | ValueError, rules: Rules, place: Place) -> Result:
    """The record of a program that could not be judged: a fault of ours or of the request's, never the program's."""
    return Result(
        id=identity,
        outcome=Outcome.JUDGE_ERROR,
        label=None,
        detail=None,
        exception=None,
        message=str(error),
        line=None,
        tests=(),
        isolation=place.isolation,
        python=place.python,
        profile=rules.profile,
        words=Message("run.not-judged", {"reason": str(error)}),
    )
