"""``pymeta-lsp judge``: the command line of the judge."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .programs import PROFILES

if TYPE_CHECKING:
    from .engine import Place
    from .judging import Rules
    from .programs import BadProgramError, Program
    from .records import ResultFile

EXIT_DONE, EXIT_NOT_ALL, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
DESCRIPTION = (
    "Run programs on their tests in a sandbox and label each by what the interpreter did. "
    "An interrupted run goes on where it stopped. Exit status: 0 all judged; 1 some could not be judged, or the "
    "deadline passed; 2 usage, unreadable input or no sandbox; 130 interrupted."
)


def add(commands: Any) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser("judge", help="run programs on tests in a sandbox", allow_abbrev=False)
    add_arguments(parser)
    parser.set_defaults(run=run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give ``parser`` the options of ``pymeta-lsp judge``."""
    parser.description = DESCRIPTION
    parser.add_argument("--programs", type=Path, metavar="IN.jsonl", help="a program and its tests on each line")
    parser.add_argument("--out", type=Path, metavar="OUT.jsonl", help="results, a line each, in the same order")
    parser.add_argument("--profile", choices=PROFILES, default="strict", help="by whose rules (default: strict)")
    parser.add_argument("--jobs", type=int, metavar="N", help="programs at a time (default: the number of processors)")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds of processor time for a test (default: 5; lcb: 6)"
    )
    parser.add_argument("--memory-mib", type=int, metavar="M", help="memory of a process (default: 512; lcb: 4096)")
    parser.add_argument("--deadline", type=float, metavar="S", help="start no program after so many seconds in all")
    parser.add_argument("--sandbox", default="auto", metavar="NAME", help="auto, namespaces, bubblewrap, rlimits, …")
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="also use a sandbox that leaves files, network or other programs open: only for programs that you trust",
    )
    parser.add_argument("--python", metavar="PATH", help="the interpreter that runs the programs (default: this one)")
    parser.add_argument(
        "--packages", type=Path, action="append", default=[], metavar="DIR", help="a folder that they may import from"
    )
    parser.add_argument("--dask", metavar="SCHEDULER", help="run on this Dask cluster instead (extra: dask)")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    parser.add_argument("--check", action="store_true", help="only tell whether this machine can judge, and the remedy")


def run(arguments: argparse.Namespace) -> int:
    """Do what the options say; returns the exit status."""
    if arguments.check:
        from .self_check import report

        return report(arguments.python)
    from .engine import Place
    from .judging import Rules
    from .records import ResultFile, count_lines
    from .sandbox import SandboxError

    try:
        if arguments.programs is None or arguments.out is None:
            raise ValueError("--programs and --out are needed (or --check)")
        if arguments.jobs is not None and arguments.jobs < 1:
            raise ValueError("--jobs must be at least 1")
        rules = Rules(arguments.profile, arguments.time_limit, arguments.memory_mib)
        rules.limits("stdin")  # refuses impossible limits now
        place = Place.here(
            arguments.sandbox,
            arguments.python,
            [path.resolve(strict=True) for path in arguments.packages],
            allow_weak=arguments.allow_weak_isolation,
        )
        total = count_lines(arguments.programs)
        with ResultFile(arguments.out) as results:
            return _judge_file(arguments, rules, place, results, total)
    except (ValueError, OSError, SandboxError) as error:
        print(f"pymeta-lsp judge: {error}", file=sys.stderr)
        return EXIT_USAGE


def _judge_file(arguments: argparse.Namespace, rules: Rules, place: Place, results: ResultFile, total: int) -> int:
    from .engine import DeadlineError, judge_many

    progress = _Progress(total, len(results.done), quiet=arguments.quiet)
    programs = _not_yet(arguments.programs, results.done)
    deadline = None if arguments.deadline is None else time.monotonic() + arguments.deadline
    status = EXIT_DONE
    try:
        if arguments.dask:
            from .distributed import judge_on_cluster

            stream = judge_on_cluster(programs, rules, place, arguments.dask, deadline=deadline)
        else:
            stream = judge_many(programs, rules, place, jobs=arguments.jobs, deadline=deadline)
        for result in stream:
            results.write(result)
            progress.count(result.outcome.value)
    except DeadlineError:
        status = EXIT_NOT_ALL
        progress.say("the deadline passed: run again to go on")
    except KeyboardInterrupt:
        progress.say("interrupted: run again to go on")
        return EXIT_INTERRUPTED
    finally:
        progress.end()
    return EXIT_NOT_ALL if progress.outcomes["judge-error"] else status


def _not_yet(path: Path, done: set[str]) -> Iterator[Program | BadProgramError]:
    from .records import UnreadableInputError, read_programs

    seen: set[str] = set()
    for program in read_programs(path):
        if program.id in seen:
            raise UnreadableInputError(f"{path}: the id {program.id!r} stands there twice")
        seen.add(program.id)
        if program.id not in done:
            yield program


class _Progress:
    """One line on standard error: rewritten on a terminal, now and then elsewhere."""

    def __init__(self, total: int, done: int, *, quiet: bool) -> None:
        self.outcomes: Counter[str] = Counter()
        self._total, self._done, self._quiet = total, done, quiet
        self._started = time.monotonic()
        self._shown = 0.0
        self._terminal = sys.stderr.isatty()
        if done and not quiet:
            self.say(f"{done} of {total} programs have a result already")

    def count(self, outcome: str) -> None:
        self.outcomes[outcome] += 1
        now = time.monotonic()
        if not self._quiet and now - self._shown > (0.2 if self._terminal else 10.0):
            self._shown = now
            print(self._line(), end="\r" if self._terminal else "\n", file=sys.stderr, flush=True)

    def _line(self) -> str:
        judged = sum(self.outcomes.values())
        rate = judged / max(1e-9, time.monotonic() - self._started)
        counts = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes.most_common())
        return f"judged {judged + self._done} of {self._total} ({rate:.0f} a second): {counts or 'none'}"

    def say(self, text: str) -> None:
        if not self._quiet:
            print(f"pymeta-lsp judge: {text}", file=sys.stderr)

    def end(self) -> None:
        if not self._quiet:
            print(self._line() + " " * 10, file=sys.stderr)
