"""``pymeta-bench lcb``: run, grade, errors, leaderboard."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .errors_command import add_errors
from .grade_command import add_grade, day
from .leaderboard import leaderboard
from .performances import DIFFICULTIES, PerformancesError, read
from .problems import SCENARIOS
from .run_command import add_run


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``lcb`` commands."""
    parser = commands.add_parser("lcb", help="LiveCodeBench: models on problems newer than they are")
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    board = actions.add_parser(
        "leaderboard",
        help="rank models in a window of time",
        description="Rank the models of one of the site's performance files on the problems of a window of time. A model "
        "released on or after the window's first day may have seen its problems: it is listed, but not ranked.",
        epilog="Example: pymeta-bench lcb leaderboard --performances performances.json.gz --start 2024-08-01 --end 2025-05-01",
    )
    board.add_argument("--performances", type=Path, required=True, metavar="F.json[.gz]")
    board.add_argument("--start", type=day, required=True, metavar="DAY", help="first day, such as 2024-08-01")
    board.add_argument("--end", type=day, required=True, metavar="DAY", help="last day, itself included")
    board.add_argument("--scenario", choices=SCENARIOS, default="codegeneration", help="what the file measures")
    board.add_argument("--cot", action="store_true", help="code execution: scores with chain of thought")
    board.add_argument("--format", choices=("text", "json"), default="text")
    board.set_defaults(run=run_leaderboard, parser=board)
    add_run(actions)
    add_grade(actions)
    add_errors(actions)


def run_leaderboard(arguments: argparse.Namespace) -> int:
    if arguments.cot and arguments.scenario != "codeexecution":
        arguments.parser.error("--cot goes with --scenario codeexecution")
    if arguments.end < arguments.start:
        arguments.parser.error(f"the window ends ({arguments.end}) before it starts ({arguments.start})")
    try:
        performances = read(arguments.performances, chain_of_thought=arguments.cot)
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
