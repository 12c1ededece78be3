"""``pymeta-bench lcb grade``: what models wrote, judged by running it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, get_args

from rich.console import Console
from rich.progress import Progress

from pymeta_bench.hub import SCHEME, fetch
from pymeta_bench.pymeta.about import scored_by
from pymeta_bench.pymeta.report.files import write_report
from pymeta_bench.pymeta.score_command import guarded, say_written
from pymeta_bench.rows import DataError
from pymeta_lsp.judge.engine import DeadlineError
from pymeta_lsp.judge.limits import Limits

from .generations import Generation, read_generations
from .grading import Grades, Judging, Profile, chosen, grade
from .pages.grades_page import grades_page
from .problems import SCENARIOS, Item, Scenario, read_problems
from .releases import check_release
from .scores import performances, score

EXTRACTED: Final = "extracted.jsonl"
"""Beside the grades: the program or value that was judged, a line a sample."""


def day(text: str) -> date:
    """For argparse."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2024-08-01") from None


def seconds(text: str) -> float:
    """For argparse; the judge's own bounds."""
    try:
        return Limits(time_seconds=float(text)).time_seconds
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time of more than 0 and at most 1000000 seconds") from None


def add_grade(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``grade``."""
    parser = actions.add_parser(
        "grade",
        help="judge what a model wrote, by running it",
        description="Code generation and self-repair: each program is run on its problem's tests, public ones first, in the judge's sandbox; the first "
        "failure ends it. Code execution and test output prediction: the value is compared as a literal, never evaluated. An interrupted run goes on "
        "where it stopped. DIR gets grades.json, a page, the judge's records, and performances.json for lcb leaderboard.",
        epilog="Example: pymeta-bench lcb grade --scenario codegeneration --problems test6.jsonl --generations out.json --start 2025-01-01 --out grades",
    )
    parser.add_argument("--scenario", choices=SCENARIOS, required=True)
    parser.add_argument(
        "--generations",
        type=Path,
        required=True,
        metavar="G",
        help="upstream's output files, CRUXEval's, or {id, replies} rows",
    )
    add_grading_arguments(parser)
    parser.add_argument("--base", action="store_true", help="replies are programs as they stand, without fences")
    parser.add_argument("--model", metavar="NAME", help="what to call the model (default: the file's name)")
    parser.set_defaults(run=lambda arguments: guarded(lambda: _grade(arguments)))


def add_grading_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``grade`` and ``run`` share."""
    parser.add_argument(
        "--problems",
        required=True,
        nargs="+",
        metavar="F",
        help="the data set's .jsonl, .json or .parquet files (a release is several), or hf://OWNER/NAME/FILE",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--start", type=day, metavar="DAY", help="first day of the window, itself included")
    parser.add_argument("--end", type=day, metavar="DAY", help="last day of the window, itself included")
    parser.add_argument(
        "--cutoff", type=day, metavar="DAY", help="the model's: a window that begins on it or before is marked"
    )
    parser.add_argument(
        "--release", metavar="TAG", help="check that the problems are this release: v1 to v6, v4_v5, release_latest"
    )
    parser.add_argument(
        "--profile",
        choices=get_args(Profile),
        default="strict",
        help="strict (default): what is right; lcb: the published checker and its windows, faults included",
    )
    parser.add_argument(
        "--time-limit", type=seconds, default=6.0, metavar="S", help="of one test (default: 6, as published)"
    )
    parser.add_argument(
        "--all-tests",
        action="store_true",
        help="run a failed program's other tests too, and count those that pass (profile strict)",
    )
    parser.add_argument(
        "--packages",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder that programs may import from, such as the site-packages with numpy (default: the standard library only)",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="programs at a time (default: one a core)")
    parser.add_argument("--dask", metavar="SCHEDULER", help="judge on this Dask cluster instead (extra: dask)")
    parser.add_argument(
        "--deadline", type=float, metavar="S", help="stop judging after so many seconds; run again to go on"
    )


def _grade(arguments: argparse.Namespace) -> None:
    generations = read_generations(arguments.generations)
    name = arguments.model or arguments.generations.name.split(".json")[0]
    grade_generations(arguments, generations, name, {"generations": arguments.generations.name})


def grade_generations(
    arguments: argparse.Namespace, generations: dict[str, Generation], name: str, about: dict[str, Any]
) -> dict[str, Any]:
    """Grade, write and show; the record."""
    if arguments.start and arguments.end and arguments.end < arguments.start:
        raise DataError(f"the window ends ({arguments.end}) before it starts ({arguments.start})")
    if arguments.all_tests and arguments.profile == "lcb":
        raise DataError("--all-tests: the published rules (--profile lcb) end a program at its first failure")
    arguments.out.mkdir(parents=True, exist_ok=True)
    grades, scenario = Grades(), arguments.scenario
    deadline = None if arguments.deadline is None else time.monotonic() + arguments.deadline
    judging = Judging(
        arguments.out / "results.jsonl",
        arguments.profile,
        arguments.jobs,
        arguments.dask,
        deadline,
        time_seconds=arguments.time_limit,
        all_tests=arguments.all_tests,
        packages=_folders(arguments.packages),
    )
    items = chosen(
        problems_of(arguments),
        generations,
        arguments.start,
        arguments.end,
        grades,
        as_upstream=arguments.profile == "lcb",
    )
    programs = scenario in ("codegeneration", "selfrepair")
    total = sum(len(each.texts) for each in generations.values()) if programs else len(generations)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("judging" if programs else "comparing", total=total)
        try:
            grade(
                items,
                generations,
                scenario,
                grades,
                judging,
                base=arguments.base,
                done=lambda count: progress.advance(task, count),
            )
        except DeadlineError:
            raise TimeoutError(
                "the deadline passed before all was judged: run the same command again to go on"
            ) from None
    if not grades.graded:
        left_out = [f"{count} {why}" for why, count in grades.skipped.items()]
        left_out += [f"{len(grades.broken)} not judged, such as {grades.broken[0]}"] if grades.broken else []
        raise DataError(f"nothing to score: {', '.join(left_out) or 'no problems'}")
    cutoff = arguments.cutoff
    contaminated = bool(cutoff and (arguments.start is None or cutoff >= arguments.start))
    facts = {
        "scenario": scenario,
        "model": name,
        "profile": arguments.profile,
        "time_limit_seconds": arguments.time_limit,
        "start": arguments.start and arguments.start.isoformat(),
        "end": arguments.end and arguments.end.isoformat(),
        "cutoff": cutoff and cutoff.isoformat(),
        "contaminated": contaminated if cutoff else None,
    }
    record = score(grades, about=facts) | {"about": about, "graded_by": scored_by()}
    written = write_report(arguments.out, record, grades_page(record), record_name="grades", page_name="grades")
    extracted = arguments.out / EXTRACTED
    with extracted.open("w", encoding="utf-8") as lines:
        for graded in grades.graded:
            for number, verdict in enumerate(graded.verdicts):
                row = {"id": graded.item.id, "number": number, "rule": verdict.rule, "text": verdict.text}
                lines.write(json.dumps(row) + "\n")
    site = arguments.out / "performances.json"
    site.write_text(json.dumps(performances(record, name, cutoff)), encoding="utf-8")
    _show(record)
    say_written([*written, extracted, site])
    return record


def _folders(paths: Sequence[Path]) -> tuple[Path, ...]:
    for path in paths:
        if not path.is_dir():
            raise DataError(f"--packages {path}: no such folder")
    return tuple(path.resolve() for path in paths)


def read_all(sources: Sequence[str], scenario: Scenario) -> Iterator[Item]:
    """The items of several files, on this machine or on the hub, streamed. Raises :class:`DataError`."""
    for source in sources:
        yield from read_problems(fetch(source) if source.startswith(SCHEME) else Path(source), scenario)


def problems_of(arguments: argparse.Namespace) -> Iterator[Item]:
    """The items of ``--problems``, streamed; ``--release`` is checked before the first, at the cost of reading them twice."""
    scenario: Scenario = arguments.scenario
    if arguments.release:
        known = [(item.id, item.day) for item in read_all(arguments.problems, scenario)]
        check_release(arguments.release, [identity for identity, _ in known], [when for _, when in known])
    yield from read_all(arguments.problems, scenario)


def _show(record: dict[str, Any]) -> None:
    scores = ", ".join(f"{k} {value:.4f}" for k, value in record["score"].items())
    print(f"{record['model']}, {record['scenario']}: {record['n']} problems, {record['samples']} samples: {scores}")
    for row in record["by"].get("difficulty", []):
        if row["name"]:
            print(f"  {row['name']}: {row['n']} problems, pass@1 {row['pass@1']:.4f}")
    for name, count in record["missing_modules"].items():
        print(f"  {count} programs import {name}, which they cannot see here: is it in a folder of --packages?")
    for why, count in record["skipped"].items():
        print(f"  left out: {count} {why}")
    if record["not_judged"]:
        print(f"  not judged: {len(record['not_judged'])}, such as {record['not_judged'][0]}")
