"""Grades of generations in the four scenarios: programs are run by the product's judge, values are compared as literals."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pymeta_bench.rows import DataError
from pymeta_lsp.judge import BadProgramError, Outcome, Place, Program, Result, Rules, SandboxError, judge_many
from pymeta_lsp.judge.records import ResultFile, UnreadableInputError
from pymeta_lsp.judge.values import literal, same, same_value

from . import extraction
from .generations import Generation
from .problems import CodeProblem, ExecutionItem, Item, OutputItem, Scenario, in_window
from .verdicts import Verdict, of_result

Profile = Literal["strict", "lcb"]


@dataclass(frozen=True)
class Graded:
    """One item and the verdicts on what was written about it."""

    item: Item
    verdicts: tuple[Verdict, ...]


@dataclass
class Grades:
    """Of a whole file, with what was skipped and why."""

    graded: list[Graded] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    """Reason to number of items."""
    broken: list[str] = field(default_factory=list)
    """Items that could not be judged: ours or the test's fault, never the program's."""

    def skip(self, reason: str) -> None:
        """Count one more."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


@dataclass(frozen=True)
class Judging:
    """How programs are run."""

    records: Path
    """The judge's records, kept: an interrupted run goes on where it stopped."""
    profile: Profile = "strict"
    jobs: int | None = None
    dask: str | None = None
    deadline: float | None = None
    """Of :func:`time.monotonic`; past it :class:`~pymeta_lsp.judge.DeadlineError` rises."""
    time_seconds: float = 6.0
    """Of one test, processor time."""
    all_tests: bool = False
    """Whether tests after the first failure are run too."""
    packages: tuple[Path, ...] = ()
    """Folders that programs may import from."""


def chosen(
    items: Iterable[Item],
    generations: Mapping[str, Generation],
    start: date | None,
    end: date | None,
    grades: Grades,
    *,
    as_upstream: bool = False,
) -> Iterator[Item]:
    """The items that lie in the window and that something was written about; the others are counted in ``grades``.

    Raises :class:`DataError` where no item has a generation: the files are of different sets.
    """
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            grades.skip("twice among the problems")
            continue
        seen.add(item.id)
        if not in_window(item, start, end, as_upstream=as_upstream):
            grades.skip("outside the window")
        elif item.id not in generations:
            grades.skip("no generation")
        else:
            yield item
    if not seen & generations.keys():
        raise DataError(
            f"the generations are of other problems: none of {len(generations)} ids, such as {next(iter(generations))}, is "
            f"among {len(seen)}, such as {next(iter(seen), 'none')}"
        )
    for identity in generations.keys() - seen:
        grades.skip(f"no problem {identity}" if len(generations) < 5 else "no such problem")


def grade(
    items: Iterable[Item],
    generations: Mapping[str, Generation],
    scenario: Scenario,
    grades: Grades,
    judging: Judging,
    *,
    base: bool = False,
    done: Callable[[int], None] = lambda count: None,
) -> None:
    """Grade what was written about ``items`` into ``grades``; ``base`` replies are programs as they stand.

    A problem whose tests cannot be read is not judged, and listed as such. Raises :class:`DataError` where this machine has
    no sandbox, with the remedy.
    """
    if scenario in ("codegeneration", "selfrepair"):
        _run(items, generations, grades, judging, base, done)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python's parser, about what a model wrote
        for item in items:
            try:
                verdicts = tuple(_value(item, text, judging.profile, base) for text in generations[item.id].texts)
                grades.graded.append(Graded(item, verdicts))
            except DataError as error:
                grades.broken.append(str(error))
            done(1)


def _value(item: Item, reply: str, profile: Profile, base: bool) -> Verdict:
    """Of a value that was predicted, in a row whose own can be read: a literal that equals the expected one. ``True`` equals 1 in profile ``lcb`` only."""
    if isinstance(item, ExecutionItem):
        found, (readable, wanted) = extraction.executed_value(reply), literal(item.output)
    elif isinstance(item, OutputItem):
        find = extraction.executed_value if base else extraction.asserted_value  # a base model completes the assert
        found, (readable, wanted) = find(reply), _expected(item)
    else:
        raise TypeError(type(item))
    if not readable:
        raise DataError(f"{item.id}: the expected output is no literal")
    is_literal, value = literal(found.text)
    passed = is_literal and (same if profile == "lcb" else same_value)(value, wanted)
    outcome = "right" if passed else "wrong" if is_literal else "unreadable"
    return Verdict(passed, outcome, found.rule, found.text)


def _expected(item: OutputItem) -> tuple[bool, Any]:
    """JSON, as the data set has it; a few rows are Python literals."""
    try:
        return True, json.loads(item.output)
    except ValueError:
        return literal(item.output)


def _run(
    items: Iterable[Item],
    generations: Mapping[str, Generation],
    grades: Grades,
    judging: Judging,
    base: bool,
    done: Callable[[int], None],
) -> None:
    order: list[tuple[Item, list[tuple[str, extraction.Extracted]]]] = []

    def programs() -> Iterator[Program | BadProgramError]:
        """Lazily: a problem's tests, megabytes of them, are only there while it is judged."""
        for item in items:
            if not isinstance(item, CodeProblem):
                raise TypeError(type(item))
            try:
                tests = item.tests()
            except DataError as error:
                grades.broken.append(str(error))
                continue
            mark, own = _mark(item, judging), []
            for number, found in enumerate(_programs(generations[item.id], base)):
                identity = _identity(item, number, found.text, mark)
                own.append((identity, found))
                if identity not in known:
                    yield _program(item, found.text, tests, identity)
            order.append((item.without_tests(), own))

    try:
        place = Place.here(packages=judging.packages)
        records = ResultFile(judging.records)
        known = {identity for identity, record in _results(judging.records).items() if not _is_broken(record)}
    except (SandboxError, UnreadableInputError, OSError) as error:
        raise DataError(str(error)) from error
    with records:
        done(len(known))
        try:
            for result in _judge(programs(), judging, place):
                records.write(result)
                done(1)
        except SandboxError as error:
            raise DataError(str(error)) from error
    results = _results(judging.records)
    as_it_is = partial(of_result, all_tests=judging.all_tests)
    for item, own in order:
        found_all = [(results[identity], found) for identity, found in own]
        broken = next((record for record, _ in found_all if _is_broken(record)), None)
        if broken:
            grades.broken.append(f"{item.id}: {broken['message']}")
            continue
        grades.graded.append(Graded(item, tuple(as_it_is(record, *reversed(found)) for record, found in found_all)))


def _programs(generation: Generation, base: bool) -> Sequence[extraction.Extracted]:
    if generation.programs:
        return [extraction.Extracted(text, "given") for text in generation.texts]
    return [(extraction.whole if base else extraction.program)(text) for text in generation.texts]


def _program(
    item: CodeProblem, code: str, tests: Sequence[Mapping[str, str]], identity: str
) -> Program | BadProgramError:
    record = {"id": identity, "code": code, "kind": "lcb", "tests": list(tests), "fn_name": item.function}
    try:
        return Program.from_json(record)
    except BadProgramError as error:
        error.id = identity
        return error


def _mark(item: CodeProblem, judging: Judging) -> Any:
    """Of the rules and the tests: records of other ones are none of these."""
    rules = [judging.profile, judging.time_seconds, judging.all_tests, *map(str, judging.packages)]
    asked = json.dumps([rules, item.function, item.public, item.packed])
    return hashlib.sha1(asked.encode("ascii"), usedforsecurity=False)


def _identity(item: Item, number: int, code: str, mark: Any) -> str:
    """By problem, sample, tests and text, so that another program at the same place is run again."""
    digest = mark.copy()
    digest.update(code.encode("utf-8", "replace"))
    return f"{item.id}/{number}-{digest.hexdigest()[:12]}"


def _judge(programs: Iterator[Program | BadProgramError], judging: Judging, place: Place) -> Iterator[Result]:
    rules = Rules(judging.profile, time_seconds=judging.time_seconds, all_tests=judging.all_tests)
    if judging.dask is None:
        return judge_many(programs, rules, place, jobs=judging.jobs, deadline=judging.deadline)
    from pymeta_lsp.judge.distributed import judge_on_cluster

    return judge_on_cluster(programs, rules, place, judging.dask, deadline=judging.deadline)


def _is_broken(record: Mapping[str, Any]) -> bool:
    """Not judged, by a fault that may be gone the next time."""
    return bool(record["outcome"] == Outcome.JUDGE_ERROR.value)


def _results(path: Path) -> dict[str, dict[str, Any]]:
    """The last record of each."""
    with path.open(encoding="utf-8") as lines:
        return {record["id"]: record for record in map(json.loads, lines)}
