"""What every kind shares: the run at hand, the order of precedence, and reading how a process ended."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pymeta_lsp.judge.limits import Limits
from pymeta_lsp.judge.outcomes import Failure, Outcome, TestResult
from pymeta_lsp.judge.programs import Profile
from pymeta_lsp.judge.sandbox import Box, Ended, Request, SandboxError
from pymeta_taxonomy import Label, Message, fine_type, part

Reports = tuple[list[Any], ...]
Step = Callable[[], "tuple[Failure | None, Ended]"]

SHOWN_BYTES = 4096
"""Of what a test printed."""


@dataclass
class Run:
    """One program's way through the judge."""

    box: Box
    limits: Limits
    profile: Profile
    expected_cache: dict[tuple[str, str], Any] = field(default_factory=dict)
    all_tests: bool = False
    """Whether tests after the one that decides are run too, where each has a process of its own."""

    def end_of(self, request: Request, limits: Limits | None = None) -> Ended:
        """Run a process. Raises :class:`SandboxError` also when it never came to the program."""
        ended = self.box.run(request, limits or self.limits)
        if ended.status == 97 and not ended.reports:
            raise SandboxError(ended.stderr.decode("utf-8", "replace").strip() or "the box failed")
        return ended


@dataclass(frozen=True)
class Verdict:
    """What a kind found: each test that was run, and the failure that decides (None: accepted)."""

    tests: tuple[TestResult, ...]
    failure: Failure | None


def in_order(steps: Iterable[Step], *, go_on_after_wrong: bool, all_tests: bool = False) -> Verdict:
    """Run tests until one decides.

    An exception or a limit ends it. With ``go_on_after_wrong`` a wrong answer does not: a later test's exception
    outranks it, as it does in CodeRunner. Otherwise the first test that fails decides. With ``all_tests`` the same test
    decides, and the others are run all the same.
    """
    decided: Failure | None = None
    tests: list[TestResult] = []
    first: Failure | None = None
    for number, step in enumerate(steps):
        failure, ended = step()
        failure = numbered(failure, number)
        tests.append(
            TestResult(failure.outcome if failure else Outcome.ACCEPTED, ended.seconds, _beginning(ended.stdout))
        )
        if failure is None:
            continue
        first = first or failure
        if failure.outcome is not Outcome.WRONG_ANSWER or not go_on_after_wrong:
            decided = decided or failure
            if not all_tests:
                break
    return Verdict(tuple(tests), decided or first)


def _beginning(output: bytes) -> str:
    return output[:SHOWN_BYTES].decode("utf-8", "replace")


def in_one_process(ended: Ended, count: int, run: Run, check: Callable[[int, Reports], Failure | None]) -> Verdict:
    """The verdict where ``count`` tests ran one after the other in one process, as CodeRunner runs tests without input.

    What one leaves behind the next one finds; an exception ends them all, a wrong answer does not.
    """
    process = failure_of(ended, run)
    parts = _split(ended.reports, count)
    begun = sum(1 for each in parts if each is not None)
    over = any(report[0] == "finished" for report in ended.reports)
    tests: list[TestResult] = []
    first: Failure | None = None
    for number, reports in enumerate(parts):
        stopped_here = process is not None and not over and number >= begun - 1
        failure = numbered(process if stopped_here else check(number, reports or ()), number)
        tests.append(TestResult(failure.outcome if failure else Outcome.ACCEPTED, ended.seconds / count))
        first = first or failure
        if stopped_here:
            break
    return Verdict(tuple(tests), numbered(process, len(tests) - 1) or first)


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
    return [None if each is None else tuple(each) for each in parts]


def wrong(key: str, **arguments: object) -> Failure:
    """A wrong answer, Task C's logic-error, in the words of ``run.<key>``."""
    words = Message(f"run.{key}", arguments)
    return Failure(Outcome.WRONG_ANSWER, Label.LOGIC_ERROR, message=part(words, "what"), words=words)


def ended_early() -> Failure:
    """It left before it could answer: no answer is a wrong one."""
    return wrong("ended-early", test="?")


def numbered(failure: Failure | None, number: int) -> Failure | None:
    """The failure, its words naming the test by its place from 1."""
    if failure is None or failure.words is None or failure.words.arguments.get("test") != "?":
        return failure
    words = Message(failure.words.key, {**failure.words.arguments, "test": number + 1})
    drawn = failure.message == part(failure.words, "what")  # or else a message of its own, such as an exception's
    message = part(words, "what") if drawn else failure.message
    return replace(failure, words=words, message=message)


def failure_of(ended: Ended, run: Run) -> Failure | None:
    """What went wrong with the process itself, whatever it printed; None when it ran to a normal end."""
    events = {str(report[0]): report for report in reversed(ended.reports)}
    messages = [str(report[1]) for report in ended.reports if report[0] == "message" and len(report) > 1]
    message = messages[-1] if messages else ""
    limits = run.limits
    if "syntax" in events:
        return _exception(events["syntax"], message, Outcome.SYNTAX_ERROR)
    if run.profile == "coderunner" and "warning" in events:
        _, text, line = events["warning"]
        return Failure(Outcome.SYNTAX_ERROR, Label.OTHER_ERROR, "syntax-warning", "SyntaxWarning", str(text), line)
    if ended.stopped == "time" or ended.status == -24:
        return out_of_time(run, ended.line)
    if ended.stopped == "output":
        return _stopped(Outcome.RUNTIME_ERROR, "output-limit", mebibytes=limits.output_mib)
    if ended.stopped == "memory":
        return _stopped(Outcome.MEMORY_LIMIT, "memory-limit", mebibytes=limits.memory_mib)
    if "raised" in events and "begin" not in events:
        raise SandboxError(f"the prelude fails: {events['raised'][1]}: {message}", box_is_broken=False)
    if "raised" in events:
        return _exception(events["raised"], message, Outcome.RUNTIME_ERROR)
    if ended.status is None:
        raise SandboxError("the box lost sight of the program's process")
    if ended.status < 0:
        return _killed(-ended.status, ended, limits)
    if run.profile == "coderunner":
        return _standard_error(ended, events)
    if ended.status != 0 and run.profile != "lcb":
        text = f"exit status {ended.status}"
        words = Message("run.exit-status", {"status": ended.status, "test": "?"})
        detail, name = ("system-exit", "SystemExit") if "exit" in events else ("exit-status", None)
        return Failure(Outcome.RUNTIME_ERROR, Label.OTHER_ERROR, detail, name, text, words=words)
    return None


def _exception(event: list[Any], message: str, outcome: Outcome) -> Failure:
    name = str(event[1])
    line = event[2] if len(event) > 2 and isinstance(event[2], int) else None
    words: Message | None = _exception_words(name, message, line)
    if name == "MemoryError":
        outcome = Outcome.MEMORY_LIMIT
    elif outcome is Outcome.SYNTAX_ERROR:
        words = None  # the parser stage has better ones
        if name in ("RecursionError", "KeyboardInterrupt"):
            outcome = Outcome.RUNTIME_ERROR
        elif name in ("ValueError", "UnicodeEncodeError"):  # null bytes, lone surrogates: no program text at all
            return Failure(outcome, Label.SYNTAX_ERROR, None, "SyntaxError", message, line)
    label = Label.from_exception(name)
    detail = fine_type(name) if label is Label.OTHER_ERROR else None
    return Failure(outcome, label, detail, name, message, line, words)


def _exception_words(name: str, message: str, line: int | None) -> Message:
    missing = re.fullmatch(r"name '(\w+)' is not defined.*", message) if name == "NameError" else None
    if line is None and missing:
        return Message("run.missing-name", {"name": missing[1]})
    arguments: dict[str, object] = {"exception": name, "message": message, "test": "?"}
    if line is None:
        return Message("run.exception-elsewhere", arguments)
    return Message("run.exception", {**arguments, "line": line})


def out_of_time(run: Run, line: int | None = None) -> Failure:
    """It took more than its processor time, and was at ``line`` then."""
    seconds = f"{run.limits.time_seconds:g}"
    if line is None or run.profile == "lcb":  # there the program is moved into a function, and its lines with it
        return _stopped(Outcome.TIME_LIMIT, "time-limit", seconds=seconds)
    words = Message("run.time-limit-line", {"seconds": seconds, "line": line, "test": "?"})
    message = part(words, "what")
    return Failure(Outcome.TIME_LIMIT, Label.OTHER_ERROR, "time-limit", message=message, line=line, words=words)


def _stopped(outcome: Outcome, detail: str, **limit: object) -> Failure:
    words = Message(f"run.{detail}", {**limit, "test": "?"})
    return Failure(outcome, Label.OTHER_ERROR, detail, message=part(words, "what"), words=words)


def _killed(number: int, ended: Ended, limits: Limits) -> Failure:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if number in (6, 9, 11) and ended.peak_kib > limits.memory_mib * 1024 * 0.9:
        return _stopped(Outcome.MEMORY_LIMIT, "memory-limit", mebibytes=limits.memory_mib)
    words = Message("run.killed", {"signal": name, "test": "?"})
    return Failure(Outcome.RUNTIME_ERROR, Label.OTHER_ERROR, "killed", message=f"killed by {name}", words=words)


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
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):
        return "a value too large to show"  # Python refuses to write numbers of more than 4300 digits
    return text if len(text) <= length else f"{text[: length // 2]} … {text[-length // 2 :]}"
