"""``pymeta-bench lcb``: run, grade, errors, leaderboard, correlate."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pymeta_bench.pymeta.about import scored_by
from pymeta_bench.pymeta.score_command import guarded, say_written

from .contamination import by_month, correlation, drops
from .errors_command import add_errors
from .grade_command import add_grade, day
from .leaderboard import leaderboard
from .pages.leaderboard_page import leaderboard_page
from .performances import DIFFICULTIES, Performances, PerformancesError, joined, read
from .problems import SCENARIOS
from .run_command import add_run


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``lcb`` commands."""
    parser = commands.add_parser("lcb", help="LiveCodeBench: models on problems newer than they are")
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    board = actions.add_parser(
        "leaderboard",
        help="rank models in a window of time",
        description="Rank the models of the site's performance files, and of your own runs (performances.json of lcb grade), on the problems of a window of "
        "time. A model released on or after the window's first day may have seen its problems: it is listed, but not ranked. --out writes an interactive page: "
        "a window to move, scores month by month, and what each model loses after its cut-off.",
        epilog="Example: pymeta-bench lcb leaderboard --performances performances.json.gz --start 2024-08-01 --end 2025-05-01",
    )
    board.add_argument("--performances", type=Path, nargs="+", required=True, metavar="F.json[.gz]")
    board.add_argument("--start", type=day, required=True, metavar="DAY", help="first day, such as 2024-08-01")
    board.add_argument("--end", type=day, required=True, metavar="DAY", help="last day, itself included")
    board.add_argument("--scenario", choices=SCENARIOS, default="codegeneration", help="what the files measure")
    board.add_argument("--cot", action="store_true", help="code execution: scores with chain of thought")
    board.add_argument("--format", choices=("text", "json"), default="text")
    board.add_argument("--out", type=Path, metavar="DIR", help="folder for leaderboard.html and .json")
    board.set_defaults(run=run_leaderboard, parser=board)

    related = actions.add_parser(
        "correlate",
        help="how alike models rank in different scenarios",
        description="Pearson's r between the mean scores of each two scenarios, over the models that both files have.",
        epilog="Example: pymeta-bench lcb correlate --performances codegeneration=g.json.gz selfrepair=r.json.gz --start 2023-05-01 --end 2024-04-01",
    )
    related.add_argument("--performances", nargs="+", required=True, metavar="SCENARIO=F.json[.gz]")
    related.add_argument("--start", type=day, required=True, metavar="DAY")
    related.add_argument("--end", type=day, required=True, metavar="DAY")
    related.add_argument("--format", choices=("text", "json"), default="text")
    related.set_defaults(run=run_correlate, parser=related)
    add_run(actions)
    add_grade(actions)
    add_errors(actions)


def run_leaderboard(arguments: argparse.Namespace) -> int:
    if arguments.cot and arguments.scenario != "codeexecution":
        arguments.parser.error("--cot goes with --scenario codeexecution")
    if arguments.end < arguments.start:
        arguments.parser.error(f"the window ends ({arguments.end}) before it starts ({arguments.start})")
    try:
        performances = joined([read(path, chain_of_thought=arguments.cot) for path in arguments.performances])
    except PerformancesError as error:
        print(f"pymeta-bench: {error}", file=sys.stderr)
        return 2
    rows = leaderboard(performances, arguments.start, arguments.end)
    if arguments.format == "json":
        json.dump(rows, sys.stdout, indent=1)
        print()
    elif rows:
        _show(rows)
    if not rows:
        days = [row.day for row in performances.rows]
        print(
            f"no problem between {arguments.start} and {arguments.end}; the file has {min(days)} to {max(days)}",
            file=sys.stderr,
        )
    if arguments.out and rows:
        return guarded(lambda: _write(arguments, performances, rows))
    return 0


def _write(arguments: argparse.Namespace, performances: Performances, rows: list[dict[str, Any]]) -> None:
    first, last = (edge(row.day for row in performances.rows) for edge in (min, max))
    found = drops(performances, first, last)
    record = {
        "scenario": arguments.scenario,
        "start": arguments.start.isoformat(),
        "end": arguments.end.isoformat(),
        "leaderboard": rows,
        "drops": found,
        "months": {
            model: by_month([row for row in performances.rows if row.model == model]) for model in performances.models
        },
        "made_by": scored_by(),
    }
    months = (arguments.start.isoformat()[:7], arguments.end.isoformat()[:7])
    page = leaderboard_page(performances, found, scenario=arguments.scenario, start=months[0], end=months[1])
    arguments.out.mkdir(parents=True, exist_ok=True)
    targets = arguments.out / "leaderboard.json", arguments.out / "leaderboard.html"
    targets[0].write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    targets[1].write_text(page, encoding="utf-8")
    say_written(targets)


def run_correlate(arguments: argparse.Namespace) -> int:
    scenarios: dict[str, Performances] = {}
    try:
        for text in arguments.performances:
            name, equals, file = text.partition("=")
            if not equals or name in scenarios:
                arguments.parser.error(f"--performances {text}: expected SCENARIO=FILE, each scenario once")
            scenarios[name] = read(Path(file), chain_of_thought=name == "codeexecution-cot")
    except PerformancesError as error:
        print(f"pymeta-bench: {error}", file=sys.stderr)
        return 2
    found = correlation(scenarios, arguments.start, arguments.end)
    if arguments.format == "json":
        json.dump(found, sys.stdout, indent=1)
        print()
    else:
        for row in found:
            r = "not defined" if row["r"] is None else f"r = {row['r']:.3f}"
            print(f"{row['scenarios'][0]}, {row['scenarios'][1]}: {r} ({len(row['models'])} models)")
    return 0


def _show(rows: list[dict[str, Any]]) -> None:
    table = Table("rank", "model", "n", "pass@1", *DIFFICULTIES)
    for column in table.columns[2:]:
        column.justify = "right"
    for row in rows:
        scores = ("-" if row[name] is None else f"{row[name]:.1f}" for name in ("score", *DIFFICULTIES))
        style = None if row["rank"] else "dim"
        table.add_row(str(row["rank"] or "-"), row["model"], str(row["n"]), *scores, style=style)
    Console(highlight=False).print(table)
    if not all(row["rank"] for row in rows):
        print(
            "without a rank: released on or after the window's first day, or nobody knows when: may have seen the problems"
        )
