"""Labelled programs from problems: rewrite the correct solution, plant mistakes, run, keep what the interpreter says.

Each problem's programs depend on the problem and the seed alone, so the work can be split over processes and taken up
again after an interruption: finished problems stand in ``labelled.jsonl``, one line each.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pymeta_taxonomy import Label, fine_type

from .edges import edge_tests
from .mistakes import OPERATORS, Mistake, plant, syntax
from .presets import CorpusSettings
from .problems import Problem
from .restyle import identifiers, plain_functions, restyle
from .runner import Limits, Outcome, Runner, Test


@dataclass(frozen=True)
class Row:
    """One labelled program.

    ``operators`` are the mistakes planted (none in a rewritten solution, "given" in a wrong one that came with the
    problem), ``place`` the 1-based line of the last; ``line`` is where the interpreter stopped.
    """

    problem: str
    source: str
    licence: str
    split: str
    code: str
    label: int
    name: str
    detail: str | None
    exception: str | None
    message: str
    line: int | None
    operators: tuple[str, ...]
    place: int | None


_SYNTAX_OPERATORS = [name for name, operator in OPERATORS.items() if operator.find.__module__ == syntax.__name__]
_OTHER_OPERATORS = [name for name in OPERATORS if name not in _SYNTAX_OPERATORS]


def label_of(outcome: Outcome) -> tuple[Label, str | None] | None:
    """The label and fine type of how a program ended; None where it says nothing about the program's mistake."""
    if outcome.outcome == "accepted":
        return Label.NO_ERROR, None
    if outcome.outcome == "wrong-answer":
        return Label.LOGIC_ERROR, None
    if outcome.outcome == "time-limit":
        return Label.OTHER_ERROR, "time-limit"
    if outcome.exception is None:
        return None
    label = Label.from_exception(outcome.exception)
    return label, fine_type(outcome.exception)


def label_problem(problem: Problem, settings: CorpusSettings, runner: Runner) -> list[Row]:
    """Every labelled program made of one problem; empty when its solution fails its own tests here."""
    rng = random.Random(f"{settings.seed}:{problem.id}")
    problem = _as_functions(problem)
    reference = runner.run(problem.solution, problem.tests)
    if reference.outcome != "accepted" or reference.cpu_seconds > 0.25:
        return []
    limits = Limits(cpu_seconds=max(0.25, 6 * reference.cpu_seconds), wall_seconds=6.0)
    edges = edge_tests(problem, problem.solution, runner, rng)
    tests = (*edges, *problem.tests) if rng.random() < 0.6 else (*problem.tests, *edges)
    job = _Job(problem, tests, limits, runner, settings, rng)
    for wrong in problem.wrong:
        job.add_wrong(wrong)
    job.add_bases(settings.bases.get(problem.source, 3), settings.mistakes.get(problem.source, 8))
    return job.rows


class _Job:
    """The programs of one problem, as they come."""

    def __init__(
        self,
        problem: Problem,
        tests: Sequence[Test],
        limits: Limits,
        runner: Runner,
        settings: CorpusSettings,
        rng: random.Random,
    ) -> None:
        self.problem, self.tests, self.limits, self.runner = problem, tests, limits, runner
        self.settings, self.rng = settings, rng
        self.kept_names = set().union(*(identifiers(test.code) for test in tests))
        self.functions = tests[0].kind != "stdin"
        self.rows: list[Row] = []
        self.seen: set[str] = set()

    def add(self, code: str, operators: tuple[str, ...], place: int | None) -> Label | None:
        """Run a program and keep its row; None where it is a duplicate, too long, or says nothing."""
        key = normalised(code)
        if key in self.seen or len(code) > self.settings.longest_characters or not code.strip():
            return None
        self.seen.add(key)
        outcome = self.runner.run(code, self.tests, self.limits)
        named = label_of(outcome)
        if named is None:
            return None
        label, detail = named
        problem = self.problem
        self.rows.append(
            Row(
                *(problem.id, problem.source, problem.licence, problem.split, code, int(label), label.slug, detail),
                *(outcome.exception, outcome.message, outcome.line, operators, place),
            )
        )
        return label

    def restyled(self, program: str) -> str | None:
        try:
            return restyle(program, self.kept_names, self.rng, functions=self.functions)
        except (SyntaxError, ValueError, RecursionError):
            return None

    def add_wrong(self, program: str) -> None:
        plain = _plain(program)
        self.add(plain, ("given",), None)
        for _ in range(2):
            styled = self.restyled(plain)
            if styled is not None:
                self.add(styled, ("given",), None)

    def add_bases(self, bases: int, mistakes: int) -> None:
        for number in range(bases + 1):
            base = self.problem.solution if number == 0 else self.restyled(self.problem.solution)
            if base is None or self.add(base, () if number == 0 else ("restyled",), None) is not Label.NO_ERROR:
                continue
            for _ in range(mistakes):
                self.add_mistake(base)

    def add_mistake(self, base: str) -> None:
        rng = self.rng
        if rng.random() < self.settings.syntax_share:
            chosen = rng.choice(_SYNTAX_OPERATORS)
        else:
            chosen = rng.choices(_OTHER_OPERATORS, [OPERATORS[name].weight for name in _OTHER_OPERATORS])[0]
        planted = _planted(base, chosen, rng)
        for _ in range(4):  # most programs have no place for most mistakes
            if planted is not None:
                break
            chosen = rng.choices(_OTHER_OPERATORS, [OPERATORS[name].weight for name in _OTHER_OPERATORS])[0]
            planted = _planted(base, chosen, rng)
        if planted is None:
            return
        operators: tuple[str, ...] = (planted.operator,)
        if rng.random() < self.settings.double_share:
            second = _planted(planted.program, rng.choice(_OTHER_OPERATORS), rng)
            if second is not None:
                planted, operators = second, (planted.operator, second.operator)
        self.add(planted.program, operators, planted.line)


def _planted(program: str, name: str, rng: random.Random) -> Mistake | None:
    try:
        return plant(program, name, rng)
    except (SyntaxError, ValueError, IndexError, RecursionError):
        return None  # the program no longer parses (a second mistake), or has no text where the tree says


def _plain(program: str) -> str:
    try:
        return plain_functions(program) or program if "class Solution" in program else program
    except SyntaxError:
        return program


def _as_functions(problem: Problem) -> Problem:
    """The problem with ``class Solution`` unrolled, in its solution and its tests, where that can be done."""
    plain = _plain(problem.solution)
    if plain == problem.solution:
        return problem
    tests = tuple(replace(test, code=test.code.replace("Solution().", "")) for test in problem.tests)
    return replace(problem, solution=plain, tests=tests)


def normalised(code: str) -> str:
    """What makes two programs the same one: the text without comments, blank lines and space at the ends of lines."""
    lines = (re.sub(r"\s*#[^'\"]*$", "", line).rstrip() for line in code.split("\n"))
    return "\n".join(line for line in lines if line)


# ---- Many problems, many processes ----

_runner: Runner | None = None


def _label_in_worker(task: tuple[Problem, CorpusSettings]) -> tuple[str, list[dict[str, Any]]]:
    global _runner
    _runner = _runner or Runner()
    rows = label_problem(*task, _runner)
    return task[0].id, [asdict(row) for row in rows]


def label_problems(problems: Sequence[Problem], settings: CorpusSettings, folder: Path, jobs: int) -> Path:
    """Label every problem's programs into ``labelled.jsonl`` in ``folder``; skips what already stands there."""
    path = folder / "labelled.jsonl"
    done = {problem for problem, _ in read_labelled(path)} if path.exists() else set()
    chosen = _first(problems, settings.first_problems)
    if settings.problems_at_most is not None:
        chosen = _sample(chosen, settings.problems_at_most, random.Random(settings.seed))
    waiting = [(problem, settings) for problem in chosen if problem.id not in done]
    # spawn: a fork of a process that has threads (ONNX, torch) may hang
    with multiprocessing.get_context("spawn").Pool(jobs) as pool, path.open("a", encoding="utf-8") as out:
        programs = 0
        if out.tell() and not path.read_bytes().endswith(b"\n"):
            out.write("\n")  # after a line that was cut short
        for number, (problem, rows) in enumerate(pool.imap_unordered(_label_in_worker, waiting, chunksize=2), start=1):
            out.write(json.dumps({"problem": problem, "rows": rows}) + "\n")
            out.flush()
            programs += len(rows)
            if number % 50 == 0 or number == len(waiting):
                print(f"data: {number} of {len(waiting)} problems, {programs} programs", file=sys.stderr, flush=True)
    return path


def _first(problems: Sequence[Problem], counts: dict[str, int]) -> list[Problem]:
    """All problems, but of the sets in ``counts`` only so many: LeetCode's tasks are far from a beginner's."""
    seen: Counter[str] = Counter()
    chosen = []
    for problem in problems:
        seen[problem.source] += 1
        if seen[problem.source] <= counts.get(problem.source, len(problems)):
            chosen.append(problem)
    return chosen


def _sample(problems: Sequence[Problem], count: int, rng: random.Random) -> list[Problem]:
    """``count`` problems, half of them to train on, the others for both other splits."""
    shuffled = rng.sample(list(problems), len(problems))
    by_split = {split: [p for p in shuffled if p.split == split] for split in ("train", "valid", "test")}
    quarter = max(1, count // 4)
    return by_split["train"][: count - 2 * quarter] + by_split["valid"][:quarter] + by_split["test"][:quarter]


def read_labelled(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each finished problem and its rows; a last line cut short by an interruption is left out."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            yield entry["problem"], entry["rows"]
