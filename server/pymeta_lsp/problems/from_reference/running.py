"""A reference solution that is run, in a box of the judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pymeta_lsp.judge.limits import Limits
from pymeta_lsp.judge.sandbox import Box, Request
from pymeta_lsp.judge.values import UnreadableValueError, decode

from .make import SEED, Made, made_from

_ALL: Final = Limits(time_seconds=4.0)
_ONE: Final = Limits(time_seconds=2.0)

# Runs in the process of the reference alone. What it gives has to come back as text that is a literal.
_TRY: Final = """\
def _pymeta_try(call):
    import ast, copy
    try:
        text = repr(call())
        ast.literal_eval(text)
    except BaseException as error:
        return None
    return text
"""


def make_tests(reference: str, statement: str, box: Box, *, seed: int = SEED) -> Made:
    """Tests by running ``reference``; as :func:`made_from`. Raises ``SandboxError`` where the box breaks."""
    return made_from(reference, statement, RunSolution(reference, box), seed=seed)


class RunSolution:
    """Answers by running."""

    def __init__(self, reference: str, box: Box) -> None:
        self._reference: Final = reference
        self._box: Final = box

    def alone(self) -> tuple[bool, bool]:
        """See :class:`~pymeta_lsp.problems.from_reference.make.Solution`, as the methods below."""
        idle = self._box.run(Request(self._reference), _ONE)
        reads = any(report[0] == "raised" and report[1] == "EOFError" for report in idle.reports)
        return reads, bool(idle.stdout.strip())

    def answers(self, expressions: Sequence[str]) -> list[str | None]:
        """All in one process."""
        if not expressions:
            return []
        steps = tuple({"kind": "call", "expr": f"_pymeta_try(lambda: {expression})"} for expression in expressions)
        ended = self._box.run(Request(self._reference, _TRY, steps=steps), _ALL)
        answers: list[str | None] = [None] * len(expressions)
        current = -1
        for report in ended.reports:
            if report[0] == "begin" and isinstance(report[1], int):
                current = report[1]
            elif report[0] == "value" and 0 <= current < len(answers):
                try:
                    value = decode(report[1])
                except UnreadableValueError:
                    continue
                answers[current] = value if isinstance(value, str) else None
        return answers

    def output(self, typed: str) -> str | None:
        """One process."""
        ended = self._box.run(Request(self._reference, stdin=typed), _ONE)
        failed = ended.status != 0 or any(report[0] in ("raised", "syntax") for report in ended.reports)
        return None if failed else ended.stdout.decode("utf-8", "replace")
