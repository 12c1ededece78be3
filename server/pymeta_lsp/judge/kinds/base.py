"""What every kind shares: the run at hand, the order of precedence, and reading how a process ended."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pymeta_lsp.judge.limits import Limits
from pymeta_lsp.judge.outcomes import Failure, Outcome, TestResult
from pymeta_lsp.judge.programs import Profile
from pymeta_lsp.judge.sandbox import Box, Ended, Request, SandboxError
from pymeta_taxonomy import Label, fine_type

Reports = tuple[list[Any], ...]
Step = Callable[[], "tuple[Failure | None, Ended]"]


@dataclass
class Run:
    """One program's way through the judge."""

    box: Box
    limits: Limits
    profile: Profile
    expected_cache: dict[tuple[str, str], Any] = field(default_factory=dict)

    def end_of(self, request: Request, steps: int = 1) -> Ended:
        """Run a process. Raises :class:`SandboxError` also when it never came to the program."""
        ended = self.box.run(request, self.limits if steps == 1 else self.limits.for_steps(steps))
        if ended.status == 97 and not ended.reports:
            raise SandboxError(ended.stderr.decode("utf-8", "replace").strip() or "the box failed")
        return ended


@dataclass(frozen=True)
class Verdict:
    """What a kind found: each test that was run, and the failure that decides (None: accepted)."""

    tests: tuple[TestResult, ...]
    failure: Failure | None


def in_order(steps: Iterable[Step], *, go_on_after_wrong: bool) -> Verdict:
    """Run tests until one decides.

    An exception or a limit ends it. With ``go_on_after_wrong`` a wrong answer does not: a later test's exception
    outranks it, as it does in CodeRunner. Otherwise the first test that fails decides.
    """
    tests: list[TestResult] = []
    first: Failure | None = None
    for step in steps:
        failure, ended = step()
        tests.append(TestResult(failure.outcome if failure else Outcome.ACCEPTED, ended.seconds))
        if failure is None:
            continue
        if failure.outcome is not Outcome.WRONG_ANSWER:
            return Verdict(tuple(tests), failure)
        first = first or failure
        if not go_on_after_wrong:
            break
    return Verdict(tuple(tests), first)


def in_one_process(ended: Ended, count: int, run: Run, check: Callable[[int, Reports], Failure | None]) -> Verdict:
    """The verdict where ``count`` tests ran one after the other in one process, as CodeRunner runs tests without input.

    What one leaves behind the next one finds; an exception ends them all, a wrong answer does not.
    """
    process = failure_of(ended, run)
    parts = _split(ended.reports, count)
    begun = sum(1 for part in parts if part is not None)
    over = any(report[0] == "finished" for report in ended.reports)
    tests: list[TestResult] = []
    first: Failure | None = None
    for number, part in enumerate(parts):
        stopped_here = process is not None and not over and number >= begun - 1
        failure = process if stopped_here else check(number, part or ())
        tests.append(TestResult(failure.outcome if failure else Outcome.ACCEPTED, ended.seconds / count))
        first = first or failure
        if stopped_here:
            break
    return Verdict(tuple(tests), process or first)


def _split(reports: Reports, count: int) -> list[Reports | None]:
    """The reports of each step, None where it was not begun."""
    parts: list[list[list[Any]] | None] = [None] * count
    current: list[list[Any]] | None = None
    for report in reports:
        if report[0] == "begin" and isinstance(report[1], int) and report[1] < count:
            current = None if report[1] < 0 else []
            if current is not None:
                parts[report[1]] = current
        elif current is not None:
            current.append(report)
    return [None if part is None else tuple(part) for part in parts]


def wrong(message: str) -> Failure:
    """A wrong answer: Task C's logic-error."""
    return Failure(Outcome.WRONG_ANSWER, Label.LOGIC_ERROR, message=message)


def failure_of(ended: Ended, run: Run) -> Failure | None:
    """What went wrong with the process itself, whatever it printed; None when it ran to a normal end."""
    events = {str(report[0]): report for report in reversed(ended.reports)}
    messages = [str(report[1]) for report in ended.reports if report[0] == "message" and len(report) > 1]
    message = messages[-1] if messages else ""
    if "syntax" in events:
        return _exception(events["syntax"], message, Outcome.SYNTAX_ERROR)
    if run.profile == "coderunner" and "warning" in events:
        _, text, line = events["warning"]
        return Failure(Outcome.SYNTAX_ERROR, Label.OTHER_ERROR, "syntax-warning", "SyntaxWarning", str(text), line)
    if ended.stopped == "time" or ended.status == -24:
        limit = f"no end within {run.limits.time_seconds:g} s"
        return Failure(Outcome.TIME_LIMIT, Label.OTHER_ERROR, "time-limit", message=limit)
    if ended.stopped == "output":
        limit = f"more than {run.limits.output_mib} MiB of output"
        return Failure(Outcome.RUNTIME_ERROR, Label.OTHER_ERROR, "output-limit", message=limit)
    if ended.stopped == "memory":
        limit = f"more than {run.limits.memory_mib} MiB of memory"
        return Failure(Outcome.MEMORY_LIMIT, Label.OTHER_ERROR, "memory-limit", message=limit)
    if "raised" in events:
        return _exception(events["raised"], message, Outcome.RUNTIME_ERROR)
    if ended.status is None:
        raise SandboxError("the box lost sight of the program's process")
    if ended.status < 0:
        return _killed(-ended.status, ended, run.limits)
    if run.profile == "coderunner":
        return _standard_error(ended, events)
    if ended.status != 0 and run.profile != "lcb":
        text = f"exit status {ended.status}"
        if "exit" in events:
            return Failure(Outcome.RUNTIME_ERROR, Label.OTHER_ERROR, "system-exit", "SystemExit", text)
        return Failure(Outcome.RUNTIME_ERROR, Label.OTHER_ERROR, "exit-status", message=text)
    return None


def _exception(event: list[Any], message: str, outcome: Outcome) -> Failure:
    name = str(event[1])
    line = event[2] if len(event) > 2 and isinstance(event[2], int) else None
    if name == "MemoryError":
        outcome = Outcome.MEMORY_LIMIT
    elif outcome is Outcome.SYNTAX_ERROR:
        if name in ("RecursionError", "KeyboardInterrupt"):
            outcome = Outcome.RUNTIME_ERROR
        elif name in ("ValueError", "UnicodeEncodeError"):  # null bytes, lone surrogates: no program text at all
            return Failure(outcome, Label.SYNTAX_ERROR, None, "SyntaxError", message, line)
    label = Label.from_exception(name)
    detail = fine_type(name) if label is Label.OTHER_ERROR else None
    return Failure(outcome, label, detail, name, message, line)


def _killed(number: int, ended: Ended, limits: Limits) -> Failure:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if number in (6, 9, 11) and ended.peak_kib > limits.memory_mib * 1024 * 0.9:
        return Failure(Outcome.MEMORY_LIMIT, Label.OTHER_ERROR, "memory-limit", message=f"killed by {name}")
    return Failure(Outcome.RUNTIME_ERROR, Label.OTHER_ERROR, "killed", message=f"killed by {name}")


def _standard_error(ended: Ended, events: dict[str, list[Any]]) -> Failure | None:
    """CodeRunner's rule: anything on standard error is a runtime error, whatever the exit status."""
    text = ended.stderr.decode("utf-8", "replace").strip()
    if not text:
        return None
    last = text.splitlines()[-1][:1000]
    if "thread" in events:
        return _exception(events["thread"], last, Outcome.RUNTIME_ERROR)
    return Failure(Outcome.RUNTIME_ERROR, Label.OTHER_ERROR, "standard-error", message=last)


def short(value: object, length: int = 200) -> str:
    """A value's text for a message, cut in the middle."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= length else f"{text[: length // 2]} … {text[-length // 2 :]}"
