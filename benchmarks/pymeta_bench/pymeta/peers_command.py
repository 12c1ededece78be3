"""``pymeta-bench pymeta peers``: the tools that students have today, on the same programs as our own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rich.console import Console

from .about import scored_by
from .data import DATA_HELP, DataError, load, source_name
from .halves import tuning_half
from .peers.asking import ask_tool
from .peers.flags import Tool, ToolError
from .peers.measuring import Asked, figures
from .peers.sheet import draw, first_messages
from .peers.tools import OURS, PEERS
from .report.document import percent
from .report.files import write_report
from .report.peers_page import peers_page
from .score_command import guarded, say_written


def add_peers(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``peers``."""
    parser = actions.add_parser(
        "peers",
        help="linters, type checkers and Thonny's assistant beside ours",
        description="Ask each tool about the text of every program; none is run. How many failing programs it flags, how many right "
        "ones, whether its first message stands on the line that fails, how much it says and how long it takes. What a tool said is kept "
        "in DIR/flags and not asked for again until the programs or its version change; a tool that is not installed is left out.",
        epilog="Example: pymeta-bench pymeta peers --data students.jsonl.gz --out peers --tools ruff,thonny",
    )
    parser.add_argument("--data", required=True, metavar="F", help=DATA_HELP)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder for metrics.json, peers.html and peers.md. The page shows programs of the data, peers.md what is said of them",
    )
    parser.add_argument(
        "--tools", type=_tools, default=tuple(PEERS), metavar="T,…", help=f"some of {', '.join(PEERS)} (default: all)"
    )
    parser.add_argument("--limit", type=_whole, metavar="N", help="only the first N samples")
    parser.add_argument(
        "--sheet", type=_whole, default=40, metavar="N", help="programs to read side by side (default: 40)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of those (default: 0)")
    parser.set_defaults(run=run_peers)


def _tools(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown tool {unknown[0]!r}; expected some of {', '.join(PEERS)}")
    return names


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("expected a number from 1")
    return int(text)


def run_peers(arguments: argparse.Namespace) -> int:
    return guarded(lambda: _peers(arguments))


def _peers(arguments: argparse.Namespace) -> None:
    samples = load(arguments.data, limit=arguments.limit)
    console = Console(stderr=True, highlight=False)
    tools: dict[str, Tool] = {}
    asked: dict[str, Asked] = {}
    rows: list[dict[str, Any]] = []
    missing: dict[str, str] = {}
    for tool in (*(PEERS[name] for name in arguments.tools), OURS):
        try:
            version = tool.version()
            with console.status(f"{tool.name} {version}: {len(samples)} programs"):
                asked[tool.name] = ask_tool(tool, version, samples, arguments.out / "flags")
        except ToolError as error:
            if tool is OURS:
                raise DataError(f"{tool.name}: {error}") from error
            missing[tool.name] = f"{error}: {tool.install}"
            console.print(f"left out: {tool.name}: {missing[tool.name]}", markup=False)
            continue
        tools[tool.name] = tool
        found = figures(samples, asked[tool.name], by_line=tool.by_line)
        rows.append({"name": tool.name, "about": tool.about, "version": version, **found})
        _say(console, rows[-1])
    record: dict[str, Any] = {
        "data": source_name(arguments.data),
        "n": len(samples),
        "tools": rows,
        "missing": missing,
        "scored_by": scored_by(),
    }
    unseen = [place for place, sample in enumerate(samples) if sample.question and not tuning_half(sample.question)]
    if unseen:
        half = [samples[place] for place in unseen]
        record["unseen"] = [
            {"name": name, **figures(half, answer.only(unseen), by_line=tools[name].by_line)}
            for name, answer in asked.items()
        ]
    by_line = frozenset(name for name, tool in tools.items() if tool.by_line)
    sheet = [
        (samples[place], first_messages(place, asked, by_line))
        for place in draw(samples, arguments.sheet, arguments.seed)
    ]
    page = peers_page(record, sheet)
    say_written(write_report(arguments.out, record, page, record_name="metrics", page_name="peers"))


def _say(console: Console, row: dict[str, Any]) -> None:
    failing, right = row["failing"], row["right"]
    console.print(
        f"{row['name']}: flags {percent(failing['flagged'])}% of the programs that fail, names the label of {percent(failing['credited'])}%; "
        f"claims an exception in {percent(right['claimed'])}% of the right ones; {row['milliseconds']['batch']:.1f} ms a program",
        markup=False,
    )
